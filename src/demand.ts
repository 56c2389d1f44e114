import { attempt } from './attempt.ts';

/** The maximum number of characters of a value in a message: a sidecar's list of segments can have thousands. */
const MOST_SHOWN = 100;

/**
 * Describes a value in a message. Functions and classes are named, because `String` returns their source. `String`
 * throws for objects without a prototype.
 */
export const toText = (value: unknown): string =>
  typeof value === 'function' ? `the function ${value.name}` : (attempt(() => String(value)) ?? 'an object');

/** Throws an Error that names a field, its value and the expected value, unless `holds` is true. */
export function demand(holds: boolean, field: string, value: unknown, expected: string): asserts holds {
  if (holds) return;
  const shown = typeof value === 'string' ? `'${value}'` : toText(value);
  throw new Error(`${field} is ${shown.slice(0, MOST_SHOWN)}, expected ${expected}`);
}
