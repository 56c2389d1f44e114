import type { OnProgress } from '../../../system/progress.ts';
import { examine, type Check } from './check.ts';
import { ensureChromium } from './chromium.ts';
import { OF_MAHIMAHI, labChecks } from './lab-checks.ts';
import { ensureMahimahi, installTraces } from './mahimahi.ts';

/** Whether an experiment needs mahimahi as its link, mahimahi's traces, and a browser. */
interface Wanted {
  readonly mahimahi: boolean;
  readonly traces: boolean;
  readonly browser: boolean;
}

/** Installs what an experiment needs, where this process may. Throws an Error that names the first thing missing. */
export async function ensureLab(
  onProgress: OnProgress,
  { mahimahi, traces, browser }: Wanted,
): Promise<void> {
  if (mahimahi) await ensureMahimahi(onProgress, { traces });
  else if (traces) await installTraces(onProgress);
  if (browser) await ensureChromium(onProgress);
  const lack = await labLack(mahimahi, browser);
  if (lack !== null) throw new Error(lack);
}

/**
 * Names what this machine lacks and every experiment needs, with mahimahi as the link or without it, with a browser or
 * without; null when nothing is missing. ffmpeg is not checked, since it is installed on demand.
 */
export async function labLack(mahimahi = true, browser = true): Promise<string | null> {
  return lackOf(
    ({ neededBy, name }) => (mahimahi || neededBy !== OF_MAHIMAHI) && (browser || name !== 'Chromium'),
  );
}

/** The same for light viewers behind mahimahi, of whose packets nothing is traced. */
export const lightLack = (): Promise<string | null> =>
  lackOf(({ name }) => name !== 'Chromium' && name !== 'tcp_probe');

async function lackOf(wanted: (check: Check) => boolean): Promise<string | null> {
  const checks = labChecks.filter(
    (check) => check.required && !check.name.startsWith('ffmpeg') && wanted(check),
  );
  const findings = await examine(checks);
  const lack = findings.find(({ found }) => !found);
  return lack
    ? `${lack.check.name} is missing for the lab (${lack.detail}); npm run lab -- doctor says how to fix it`
    : null;
}
