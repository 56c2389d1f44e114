/** A number, a number with its 95% interval (value, low, high), or text. */
export type Value = number | readonly [value: number, low: number, high: number] | string;
export type Numbers = Exclude<Value, string>;

export const isNumbers = (value: Value | null): value is Numbers =>
  value !== null && typeof value !== 'string';

/** The number without its interval. */
export const getPoint = (value: Numbers): number => (typeof value === 'number' ? value : value[0]);
