import type { Parser } from './command-line.ts';

const refuse = (name: string, text: string, expected: string): never => {
  throw new Error(`--${name} is '${text}', expected ${expected}`);
};

/** Parses a whole number from `least` to `most` (default: one million). */
export const wholeNumber =
  (least: number, most = 1_000_000): Parser<number> =>
  (text, name) =>
    /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most
      ? Number(text)
      : refuse(name, text, `a whole number from ${least} to ${most}`);

export const MOST_PORT = 65_535;

/** Returns the value of a required option. Throws an Error that names the option if it is missing. */
export function required<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw new Error(`--${name} is missing; --help says what it takes`);
  return value;
}

/** Parses a decimal number from 0 to `most`, in `unit`. */
export const numberUpTo =
  (most: number, unit: string): Parser<number> =>
  (text, name) =>
    /^\d+(\.\d+)?$/.test(text) && Number(text) <= most
      ? Number(text)
      : refuse(name, text, `${unit} from 0 to ${most}`);

/** Parses a decimal number above `least`, up to `most`. */
export const numberAbove =
  (least: number, most: number): Parser<number> =>
  (text, name) =>
    /^\d*\.?\d+$/.test(text) && Number(text) > least && Number(text) <= most
      ? Number(text)
      : refuse(name, text, `a number above ${least}, up to ${most}`);

/** Parses comma-separated numbers, each of which matches `each`. */
export const numbers =
  (each: RegExp, expected: string): Parser<number[]> =>
  (text, name) => {
    const parts = text.split(',');
    return parts.every((part) => each.test(part)) ? parts.map(Number) : refuse(name, text, expected);
  };

/** Parses comma-separated strings. */
export const list: Parser<string[]> = (text) => text.split(',');

/** Parses one of the names in `known`. */
export const parseChoice =
  <const Name extends string>(known: Readonly<Record<Name, unknown>> | readonly Name[]): Parser<Name> =>
  (text, name) => {
    const names = (Array.isArray(known) ? known : Object.keys(known)) as readonly Name[];
    return names.find((each) => each === text) ?? refuse(name, text, `one of ${names.join(', ')}`);
  };

/** Parses comma-separated names, each of which is in `known`. */
export const parseChoices =
  <const Name extends string>(known: Readonly<Record<Name, unknown>> | readonly Name[]): Parser<Name[]> =>
  (text, name) =>
    list(text, name).map((each) => parseChoice(known)(each, name));

/** The exit status after Ctrl-C, as in shells. */
export const CUT_OFF_STATUS = 130;
