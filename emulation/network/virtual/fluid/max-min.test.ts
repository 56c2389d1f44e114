import { describe, expect, it } from 'vitest';
import { shareMaxMin } from './max-min.ts';

const sharesOf = (capacity_kbps: number, caps: readonly number[]): number[] => {
  const sharers = caps.map((cap_kbps) => ({ cap_kbps, rate_kbps: NaN }));
  shareMaxMin(sharers, capacity_kbps);
  return sharers.map(({ rate_kbps }) => rate_kbps);
};

describe('max-min fair shares, by hand arithmetic', () => {
  it('gives everybody what they want where there is enough', () => {
    expect(sharesOf(10, [2, 3, 4])).toEqual([2, 3, 4]);
  });

  it('divides equally among those who want more than their share, and gives them what a pace leaves', () => {
    // A third of 12 is 4. The flow with pace 2 leaves 10, which is 5 each.
    expect(sharesOf(12, [2, 10, 10])).toEqual([2, 5, 5]);
    // Of 10, 1 and 2 get theirs, and 7 is left for two: 3.5 each.
    expect(sharesOf(10, [1, 2, 4, 100])).toEqual([1, 2, 3.5, 3.5]);
  });

  it('carries nothing for nobody', () => {
    expect(sharesOf(10, [])).toEqual([]);
  });
});
