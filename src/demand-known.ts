/**
 * Throws an Error that names what `given` has and `known` has not, since an option whose name is misspelt would be
 * without effect. `of` is what takes the options.
 */
export function demandKnown(of: string, given: object, known: object): void {
  const names = Object.keys(known);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`${of}: unknown option ${unknown}; known: ${names.join(', ')}`);
}
