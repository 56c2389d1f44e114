import { release } from 'node:os';

/** What the kernels of virtual machines have at the end of their versions. */
export const VIRTUAL = '-virtual';

/** Whether this process runs in a machine whose clock is virtual. */
export const isVirtual = (): boolean => release().endsWith(VIRTUAL);
