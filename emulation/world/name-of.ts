/** The option's value, which must be a name of `known`. Throws an Error that lists them. */
export function nameOf<T extends string>(
  known: Readonly<Record<T, unknown>>,
  name: string,
  option: string,
): T {
  if (Object.hasOwn(known, name)) return name as T;
  throw new Error(`--${option} is '${name}', expected one of ${Object.keys(known).join(', ')}`);
}
