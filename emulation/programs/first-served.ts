import { constants, setPriority } from 'node:os';

/**
 * Puts this program before the browser and all else that wants a CPU, so that a delay it measures is the link's and
 * not the machine's. Without root it waits its turn like everybody.
 */
export function firstServed(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error;
  }
}
