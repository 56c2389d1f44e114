/** Reads an option; undefined if not given. Throws an Error if it is not a whole number from `least` to a million. */
export function wholeNumber<Name extends string>(
  values: Readonly<Partial<Record<Name, string | undefined>>>,
  name: Name,
  least: number,
): number | undefined {
  const text: string | undefined = values[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= 1_000_000) return value;
  throw new Error(`--${name} is '${text}', expected a whole number from ${least} to 1000000`);
}

/** Reads an option with decimals; undefined if not given. Throws an Error if it is not a number from 0 to `most`. */
export function numberUpTo<Name extends string>(
  values: Readonly<Partial<Record<Name, string | undefined>>>,
  name: Name,
  unit: string,
  most: number,
): number | undefined {
  const text: string | undefined = values[name];
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= most) return Number(text);
  throw new Error(`--${name} is '${text}', expected ${unit} from 0 to ${most}`);
}

/** Reads an option of numbers between commas; undefined if not given. Throws an Error if one of them is not as `each`. */
export function numbersOf<Name extends string>(
  values: Readonly<Partial<Record<Name, string | undefined>>>,
  name: Name,
  each: RegExp,
  expected: string,
): number[] | undefined {
  const text: string | undefined = values[name];
  const parts = text?.split(',');
  if (parts?.every((part) => each.test(part)) === false)
    throw new Error(`--${name} is '${text}', expected ${expected}`);
  return parts?.map(Number);
}

/** The option's value, which must be a name of `known`. Throws an Error that lists them. */
export function nameOf<T extends string>(
  known: Readonly<Record<T, unknown>>,
  name: string,
  option: string,
): T {
  if (Object.hasOwn(known, name)) return name as T;
  throw new Error(`--${option} is '${name}', expected one of ${Object.keys(known).join(', ')}`);
}

/** The exit status after Ctrl-C, as in shells. */
export const CUT_OFF_STATUS = 130;
