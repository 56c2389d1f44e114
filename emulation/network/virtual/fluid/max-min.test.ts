import { describe, expect, it } from 'vitest';
import { shareMaxMin } from './max-min.ts';

const computeShares = (capacity_kbps: number, caps: readonly number[]): number[] => {
  const sharers = caps.map((cap_kbps) => ({ cap_kbps, rate_kbps: NaN }));
  shareMaxMin(sharers, capacity_kbps);
  return sharers.map(({ rate_kbps }) => rate_kbps);
};

describe('max-min fair shares, by hand arithmetic', () => {
  it('gives all flows their caps if the capacity suffices', () => {
    expect(computeShares(10, [2, 3, 4])).toEqual([2, 3, 4]);
  });

  it('divides equally among flows with higher caps, including what paced flows leave', () => {
    // An equal share is a third of 12, which is 4. The pace of 2 leaves 10 for two flows, which get 5 each.
    expect(computeShares(12, [2, 10, 10])).toEqual([2, 5, 5]);
    // The capacity is 10: the caps of 1 and 2 are met, and the other two share the remaining 7.
    expect(computeShares(10, [1, 2, 4, 100])).toEqual([1, 2, 3.5, 3.5]);
  });

  it('returns nothing without flows', () => {
    expect(computeShares(10, [])).toEqual([]);
  });
});
