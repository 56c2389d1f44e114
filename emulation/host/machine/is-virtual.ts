import { release } from 'node:os';

/** The suffix of the kernel version in virtual machines. */
export const VIRTUAL = '-virtual';

/** Whether this process runs in a machine with a virtual clock. */
export const isVirtual = (): boolean => release().endsWith(VIRTUAL);
