import { demand } from './demand.ts';

/** A check of an option's value, and a description of the valid values for its error message. */
export type Check = readonly [holds: (value: unknown) => boolean, expected: string];

export const inRange = (low: number, high: number): Check => [
  (value) => typeof value === 'number' && value >= low && value <= high,
  `a number from ${low} to ${high}`,
];

export const AT_LEAST_0: Check = [
  (value) => typeof value === 'number' && value >= 0 && value < Infinity,
  'a number of at least 0',
];
export const ABOVE_0: Check = [
  (value) => typeof value === 'number' && value > 0 && value < Infinity,
  'a number above 0',
];
export const SHARE: Check = [
  (value) => typeof value === 'number' && value > 0 && value <= 1,
  'a number above 0, at most 1',
];

/** Throws an Error that names the option, its value and the valid values if the value is invalid. */
export function checkOption(name: string, value: unknown, [holds, expected]: Check): void {
  demand(holds(value), `option ${name}`, value, expected);
}
