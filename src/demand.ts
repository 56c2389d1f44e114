/** Characters: a film's list of segments has thousands. */
const MOST_SHOWN = 100;

/** Throws an Error that names a field, its value and what was expected, unless that `holds`. */
export function demand(holds: boolean, field: string, value: unknown, expected: string): asserts holds {
  if (holds) return;
  const shown = typeof value === 'string' ? `'${value}'` : String(value);
  throw new Error(`${field} is ${shown.slice(0, MOST_SHOWN)}, expected ${expected}`);
}
