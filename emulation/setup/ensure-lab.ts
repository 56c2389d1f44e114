import type { OnProgress } from '../../system/progress.ts';
import { examine } from './check.ts';
import { ensureChromium } from './chromium.ts';
import { labChecks } from './lab-checks.ts';
import { ensureMahimahi } from './mahimahi.ts';

/** What every experiment needs, installed where this process may. Throws an Error that names the first lack. */
export async function ensureLab(onProgress: OnProgress, wanted: { readonly traces: boolean }): Promise<void> {
  await ensureMahimahi(onProgress, wanted);
  await ensureChromium(onProgress);
  const lack = await labLack();
  if (lack !== null) throw new Error(`${lack}; npm run lab -- doctor tells how to mend it`);
}

/** What no experiment can do without and this machine lacks; null when it lacks nothing. ffmpeg installs itself. */
export async function labLack(): Promise<string | null> {
  const findings = await examine(labChecks.filter(({ name }) => !name.startsWith('ffmpeg')));
  const lack = findings.find(({ check, found }) => check.required && !found);
  return lack ? `the lab lacks ${lack.check.name} (${lack.detail})` : null;
}
