import type { Option } from '../words/words.ts';
import { DEFAULT_KERNEL, kernelNamed, KERNELS, type KernelVersion } from './kernels.ts';

/** Of an action that can run in a machine whose clock is virtual. */
export const MACHINE_OPTIONS = {
  machine: {
    of: 'M',
    about:
      'real; or virtual, where computing takes no time: without root, on any busy machine, with --viewers page and --switch p4 (real)',
  },
  kernel: {
    of: 'V',
    about: `of the virtual machine: ${Object.keys(KERNELS).join(', ')} (${DEFAULT_KERNEL})`,
  },
  jobs: { of: 'N', about: 'so many virtual machines side by side (1), each with a part of the runs' },
} as const satisfies Readonly<Record<string, Option>>;

export interface MachineValues {
  readonly machine?: string | undefined;
  readonly kernel?: string | undefined;
  readonly jobs?: string | undefined;
}

/** The virtual machines that are asked for; undefined for the real one. Throws an Error of one line for a bad value. */
export function machinesAsked({
  machine,
  kernel,
  jobs,
}: MachineValues): { readonly kernel: KernelVersion; readonly jobs: number } | undefined {
  if (machine !== undefined && machine !== 'real' && machine !== 'virtual')
    throw new Error(`--machine is '${machine}', expected real or virtual`);
  if (machine !== 'virtual') {
    const stray = kernel !== undefined ? '--kernel' : jobs !== undefined ? '--jobs' : undefined;
    if (stray !== undefined) throw new Error(`${stray} is of --machine virtual`);
    return undefined;
  }
  const machines = Number(jobs ?? 1);
  if (!Number.isInteger(machines) || machines < 1 || machines > 64)
    throw new Error(`--jobs is '${jobs ?? ''}', expected a whole number from 1 to 64`);
  return { kernel: kernelNamed(kernel ?? DEFAULT_KERNEL), jobs: machines };
}
