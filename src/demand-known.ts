import { demand } from './demand.ts';
import { isRecord } from './records.ts';

/** Throws an Error if required options are missing. Needed for applications that are not written in TypeScript. */
export function demandOptions(of: string, given: unknown): void {
  demand(isRecord(given), `${of}: options`, given, 'an object');
}

/**
 * Throws an Error that names the properties of `given` that `known` does not have, because a misspelled option would
 * otherwise be ignored. `of` is the name of the function that has the options.
 */
export function demandKnown(of: string, given: object, known: object): void {
  for (const name of Object.keys(given))
    if (!(name in known))
      throw new Error(`${of}: unknown option ${name}; known: ${Object.keys(known).join(', ')}`);
}
