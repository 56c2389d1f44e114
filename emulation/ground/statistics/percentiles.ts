/** The mean; null without values. */
export const meanOrNull = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The percentile by the nearest rank: the lowest value that at least `fraction` (above 0, up to 1) of the values do not
 * exceed. Null without values.
 */
export const nearestRank = (values: readonly number[], fraction: number): number | null =>
  // A typed array sorts numbers natively, much faster than with a comparison function.
  Float64Array.from(values).sort()[Math.ceil(fraction * values.length) - 1] ?? null;

/** A value, and how often it occurred, such as the number of packets with this value. */
export interface Weighted {
  readonly value: number;
  readonly weight: number;
}

/** The lowest value that at least `fraction` of the weight does not exceed; null without values. */
export function weightedRank(values: readonly Weighted[], fraction: number): number | null {
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const wanted = fraction * sorted.reduce((sum, { weight }) => sum + weight, 0);
  let seen = 0;
  for (const { value, weight } of sorted) {
    seen += weight;
    if (seen >= wanted && weight > 0) return value;
  }
  return null;
}

/** Rounds to three decimals, which is enough for a CSV of ms or Mbit/s. */
export const rounded = (value: number): number => Math.round(value * 1000) / 1000;
