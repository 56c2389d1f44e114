import { constants, setPriority } from 'node:os';

/**
 * Gives this process the highest CPU priority, above the browser's, so that the delay it measures is the link's and not
 * the machine's. Does nothing without root.
 */
export function firstServed(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error;
  }
}
