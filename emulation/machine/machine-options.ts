import type { Option, ValuesOf } from '../../system/command-line/command-line.ts';
import { oneOf, wholeNumber } from '../../system/command-line/parsers.ts';
import { DEFAULT_KERNEL, KERNELS, type KernelVersion } from './kernels.ts';

export const KERNEL_OPTION = {
  valueName: 'V',
  about: `of the virtual machine: ${Object.keys(KERNELS).join(', ')} (${DEFAULT_KERNEL})`,
  parse: oneOf<KernelVersion>(KERNELS),
} as const satisfies Option;

const MOST_MACHINES = 64;

/** Of an action that can run in a machine whose clock is virtual. */
export const MACHINE_OPTIONS = {
  machine: {
    valueName: 'M',
    about:
      'real; or virtual, where computing takes no time: without root, on any busy machine, with --viewers page and --switch p4 (real)',
    parse: oneOf(['real', 'virtual']),
  },
  kernel: KERNEL_OPTION,
  jobs: {
    valueName: 'N',
    about: 'so many virtual machines side by side (1), each with a part of the runs',
    parse: wholeNumber(1, MOST_MACHINES),
  },
} as const satisfies Readonly<Record<string, Option>>;

export type MachineValues = ValuesOf<typeof MACHINE_OPTIONS>;

/** The virtual machines that are asked for; undefined for the real one. Throws an Error of one line for a stray option. */
export function machinesAsked({
  machine,
  kernel,
  jobs,
}: MachineValues): { readonly kernel: KernelVersion; readonly jobs: number } | undefined {
  if (machine === 'virtual') return { kernel: kernel ?? DEFAULT_KERNEL, jobs: jobs ?? 1 };
  const stray = kernel !== undefined ? '--kernel' : jobs !== undefined ? '--jobs' : undefined;
  if (stray !== undefined) throw new Error(`${stray} is of --machine virtual`);
  return undefined;
}
