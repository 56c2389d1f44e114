/** Characters of a value in a message: a sidecar's list of segments can have thousands. */
const MOST_SHOWN = 100;

/** Throws an Error with a field, its value and the expectation, unless `holds` is true. */
export function demand(holds: boolean, field: string, value: unknown, expected: string): asserts holds {
  if (holds) return;
  const shown = typeof value === 'string' ? `'${value}'` : String(value);
  throw new Error(`${field} is ${shown.slice(0, MOST_SHOWN)}, expected ${expected}`);
}
