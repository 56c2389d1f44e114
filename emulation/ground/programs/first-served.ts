import { constants, setPriority } from 'node:os';

/**
 * Gives this process the highest CPU priority, above the browser's priority, so that the measured delay comes from the
 * link and not from the machine. Does nothing without root.
 */
export function firstServed(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error;
  }
}
