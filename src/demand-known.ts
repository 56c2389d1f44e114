/**
 * Throws an Error that names what `given` has and `known` has not, since an option whose name is misspelt would be
 * without effect. `of` is what takes the options.
 */
export function demandKnown(of: string, given: object, known: object): void {
  for (const name of Object.keys(given))
    if (!(name in known))
      throw new Error(`${of}: unknown option ${name}; known: ${Object.keys(known).join(', ')}`);
}
