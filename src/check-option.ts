import { demand } from './demand.ts';

/** A check of an option's value, and the expectation that its error message states. */
export type Check = readonly [holds: (value: unknown) => boolean, expected: string];

export const inRange = (low: number, high: number): Check => [
  (value) => typeof value === 'number' && value >= low && value <= high,
  `a number from ${low} to ${high}`,
];

/** Throws an Error that names the option, its value and the expectation if the value is invalid. */
export function checkOption(name: string, value: unknown, [holds, expected]: Check): void {
  demand(holds(value), `option ${name}`, value, expected);
}
