import type { Parser } from './command-line.ts';

const refuse = (name: string, text: string, expected: string): never => {
  throw new Error(`--${name} is '${text}', expected ${expected}`);
};

/** A whole number from `least` to `most`, a million when not given. */
export const wholeNumber =
  (least: number, most = 1_000_000): Parser<number> =>
  (text, name) =>
    /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most
      ? Number(text)
      : refuse(name, text, `a whole number from ${least} to ${most}`);

/** The highest number of a port. */
export const MOST_PORT = 65_535;

/** The value of an option that a command cannot do without. Throws an Error that names the option if it is missing. */
export function required<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw new Error(`--${name} is missing; --help says what it takes`);
  return value;
}

/** A number with decimals from 0 to `most`, in `unit`. */
export const numberUpTo =
  (most: number, unit: string): Parser<number> =>
  (text, name) =>
    /^\d+(\.\d+)?$/.test(text) && Number(text) <= most
      ? Number(text)
      : refuse(name, text, `${unit} from 0 to ${most}`);

/** A number with decimals above `least`, up to `most`. */
export const numberAbove =
  (least: number, most: number): Parser<number> =>
  (text, name) =>
    /^\d*\.?\d+$/.test(text) && Number(text) > least && Number(text) <= most
      ? Number(text)
      : refuse(name, text, `a number above ${least}, up to ${most}`);

/** Numbers between commas, each of which is as `each`. */
export const numbers =
  (each: RegExp, expected: string): Parser<number[]> =>
  (text, name) => {
    const parts = text.split(',');
    return parts.every((part) => each.test(part)) ? parts.map(Number) : refuse(name, text, expected);
  };

/** Texts between commas. */
export const list: Parser<string[]> = (text) => text.split(',');

/** One of the names that `known` has. */
export const oneOf =
  <const Name extends string>(known: Readonly<Record<Name, unknown>> | readonly Name[]): Parser<Name> =>
  (text, name) => {
    const names = (Array.isArray(known) ? known : Object.keys(known)) as readonly Name[];
    return names.find((each) => each === text) ?? refuse(name, text, `one of ${names.join(', ')}`);
  };

/** Names between commas, each of which `known` has. */
export const someOf =
  <const Name extends string>(known: Readonly<Record<Name, unknown>> | readonly Name[]): Parser<Name[]> =>
  (text, name) =>
    list(text, name).map((each) => oneOf(known)(each, name));

/** The exit status after Ctrl-C, as in shells. */
export const CUT_OFF_STATUS = 130;
