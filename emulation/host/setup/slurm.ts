import { aptCommand, canUseApt, ensureAptPackages } from '../../../system/apt.ts';
import { findExecutable } from '../../../system/find-executable.ts';
import type { OnProgress } from '../../../system/progress.ts';

const PACKAGES = ['slurm-wlm', 'munge'];
const PROGRAMS = ['slurmctld', 'slurmd', 'munged', 'sbatch', 'squeue', 'scancel'];

/** The reason why a one-node Slurm for a test cannot run here; null if there is none. */
export function missingSlurmReason(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'Slurm is tested on Linux, as root';
  const missing = PROGRAMS.filter((program) => findExecutable(program) === undefined);
  return missing.length === 0 ? null : `${missing.join(', ')} not on the PATH; ${aptCommand(...PACKAGES)}`;
}

/** Installs Slurm if this process has the permission. */
export async function ensureSlurm(onProgress: OnProgress): Promise<void> {
  if (missingSlurmReason() !== null && canUseApt()) await ensureAptPackages(PACKAGES, onProgress);
}
