import type { OnProgress } from '../../../system/progress.ts';
import { examine, type Check } from './check.ts';
import { ensureChromium } from './chromium.ts';
import { MAHIMAHI_RUNS, labChecks } from './lab-checks.ts';
import { ensureMahimahi, installTraces } from './mahimahi.ts';

/** Whether an experiment needs mahimahi as its link, mahimahi's traces, and a browser. */
interface LabNeeds {
  readonly mahimahi: boolean;
  readonly traces: boolean;
  readonly browser: boolean;
}

/**
 * Installs an experiment's requirements, if this process has the permission. Throws an Error that names the first
 * missing item.
 */
export async function ensureLab(
  onProgress: OnProgress,
  { mahimahi, traces, browser }: LabNeeds,
): Promise<void> {
  if (mahimahi) await ensureMahimahi(onProgress, { traces });
  else if (traces) await installTraces(onProgress);
  if (browser) await ensureChromium(onProgress);
  const missing = await missingLabReason(mahimahi, browser);
  if (missing !== null) throw new Error(missing);
}

/**
 * Names the first missing requirement of the lab; null if nothing is missing. `mahimahi` and `browser` state whether
 * those are required. ffmpeg is not checked, because it is installed on demand.
 */
export async function missingLabReason(mahimahi = true, browser = true): Promise<string | null> {
  return firstMissingReason(
    ({ neededBy, name }) => (mahimahi || neededBy !== MAHIMAHI_RUNS) && (browser || name !== 'Chromium'),
  );
}

/**
 * Names the first missing requirement of viewers without a browser behind mahimahi; null if nothing is missing. These
 * viewers need no trace of TCP's state.
 */
export const missingLightLabReason = (): Promise<string | null> =>
  firstMissingReason(({ name }) => name !== 'Chromium' && name !== 'tcp_probe');

async function firstMissingReason(wanted: (check: Check) => boolean): Promise<string | null> {
  const checks = labChecks.filter(
    (check) => check.required && !check.name.startsWith('ffmpeg') && wanted(check),
  );
  const findings = await examine(checks);
  const missing = findings.find(({ found }) => !found);
  return missing
    ? `${missing.check.name} is missing for the lab (${missing.detail}); npm run lab -- doctor says how to fix it`
    : null;
}
