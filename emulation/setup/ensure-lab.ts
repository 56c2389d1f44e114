import type { OnProgress } from '../../system/progress.ts';
import { examine, type Check } from './check.ts';
import { ensureChromium } from './chromium.ts';
import { OF_MAHIMAHI, labChecks } from './lab-checks.ts';
import { ensureMahimahi } from './mahimahi.ts';

/** Whether an experiment needs mahimahi as its link, and mahimahi's traces. */
interface Wanted {
  readonly mahimahi: boolean;
  readonly traces: boolean;
}

/** Installs what an experiment needs, where this process may. Throws an Error that names the first thing missing. */
export async function ensureLab(onProgress: OnProgress, { mahimahi, traces }: Wanted): Promise<void> {
  if (mahimahi || traces) await ensureMahimahi(onProgress, { traces });
  await ensureChromium(onProgress);
  const lack = await labLack(mahimahi);
  if (lack !== null) throw new Error(lack);
}

/**
 * Names what this machine lacks and every experiment needs, with mahimahi as the link or without it; null when nothing is
 * missing. ffmpeg is not checked, since it is installed on demand.
 */
export async function labLack(mahimahi = true): Promise<string | null> {
  return lackOf(({ neededBy }) => mahimahi || neededBy !== OF_MAHIMAHI);
}

/** The same for light viewers behind mahimahi, of whose packets nothing is traced. */
export const lightLack = (): Promise<string | null> =>
  lackOf(({ name }) => name !== 'Chromium' && name !== 'tcp_probe');

async function lackOf(wanted: (check: Check) => boolean): Promise<string | null> {
  const checks = labChecks.filter((check) => !check.name.startsWith('ffmpeg') && wanted(check));
  const findings = await examine(checks);
  const lack = findings.find(({ check, found }) => check.required && !found);
  return lack
    ? `the lab lacks ${lack.check.name} (${lack.detail}); npm run lab -- doctor tells how to mend it`
    : null;
}
