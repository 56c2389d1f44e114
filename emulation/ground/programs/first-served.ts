import { constants, setPriority } from 'node:os';

/**
 * Gives this program the highest priority for the CPU, before the browser, so that a delay it measures is the link's and
 * not the machine's. Without root it keeps the usual priority.
 */
export function firstServed(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error;
  }
}
