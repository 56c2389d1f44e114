import { attempt } from './attempt.ts';

/** Characters of a value in a message: a sidecar's list of segments can have thousands. */
const MOST_SHOWN = 100;

/** A class has its source as text, and an object without a prototype has none. */
const toText = (value: unknown): string =>
  typeof value === 'function' ? `the function ${value.name}` : (attempt(() => String(value)) ?? 'an object');

/** Throws an Error with a field, its value and the expectation, unless `holds` is true. */
export function demand(holds: boolean, field: string, value: unknown, expected: string): asserts holds {
  if (holds) return;
  const shown = typeof value === 'string' ? `'${value}'` : toText(value);
  throw new Error(`${field} is ${shown.slice(0, MOST_SHOWN)}, expected ${expected}`);
}
