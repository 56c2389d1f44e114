import type { Option } from '../../../system/command-line/command-line.ts';
import { parseChoice } from '../../../system/command-line/parsers.ts';

/**
 * The kernels for the virtual machine: their version, and the package with the source. The first is the default. Linux
 * 6.1 compiles but does not start; Debian 12 has no source of 5.10.
 */
export const KERNELS = {
  '6.12': 'linux-source-6.12',
} as const;

export type KernelVersion = keyof typeof KERNELS;

export const DEFAULT_KERNEL: KernelVersion = '6.12';

export const KERNEL_OPTION = {
  valueName: 'V',
  about: `kernel of the virtual machine: ${Object.keys(KERNELS).join(', ')} (${DEFAULT_KERNEL})`,
  parse: parseChoice<KernelVersion>(KERNELS),
} as const satisfies Option;
