/** Null of nothing. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The least value that at least `fraction` (above 0, up to 1) of the values do not exceed: the nearest rank. Null of nothing. */
export const percentile = (values: readonly number[], fraction: number): number | null =>
  values.toSorted((a, b) => a - b)[Math.ceil(fraction * values.length) - 1] ?? null;

/** To three decimals, for people and small files. */
export const rounded = (value: number): number => Math.round(value * 1000) / 1000;
