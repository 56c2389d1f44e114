import type { AbrAlgorithm } from '../abr/abr.ts';
import * as entry from '../abr/index.ts';
import { hasMethods } from '../records.ts';

/** Every algorithm that `dashjs-sammy/abr` has, with its defaults: a new one is tested with the others without being listed. */
export const everyAlgorithm: readonly AbrAlgorithm[] = Object.values(entry).flatMap(
  (make: (...given: never[]) => unknown) => {
    // What else it exports is no factory of one.
    if (make.length > 0) return [];
    const made = make();
    return hasMethods(made, 'session') ? [made as AbrAlgorithm] : [];
  },
);
