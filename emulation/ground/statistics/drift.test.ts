import { describe, expect, it } from 'vitest';
import { measureDrift } from './drift.ts';

const hours = (...values: number[]) => values.map((value, index) => ({ at_ms: index * 3_600_000, value }));

describe('measureDrift', () => {
  it('computes p by counting orders', () => {
    // The order 1, 2, 4, 3 has one of six possible inversions. Of the 4! orders, 1 + 3 have at most one inversion, and
    // 3 + 1 have at least five, so 8 rise or fall at least as consistently.
    expect(measureDrift([hours(1, 2, 4, 3)])?.p).toBeCloseTo(8 / 24, 12);
    expect(measureDrift([hours(1, 2, 3, 4, 5)])).toMatchObject({ n: 5 });
    expect(measureDrift([hours(5, 4, 3, 2, 1)])?.p).toBeCloseTo(2 / 120, 12);
    expect(measureDrift([hours(3, 1, 2)])).toMatchObject({
      p: expect.closeTo(1, 12) as number,
      least_p: 2 / 6,
    });
  });

  it.each([
    // Upper tail probabilities of Kendall's S, from Gilbert 1987, table A18.
    [hours(2, 1, 4, 3, 5, 6, 8, 7), 22, 0.0028],
    [hours(1, 2, 3, 7, 6, 5, 4, 8), 16, 0.031],
    [hours(1, 2, 3, 4, 5, 10, 9, 8, 7, 6), 25, 0.014],
    [hours(1, 2, 3, 4, 10, 9, 5, 6, 7, 8), 27, 0.0083],
  ])('agrees with the published tables (%#)', (values, score, tail) => {
    const counted = values.flatMap((a, i) => values.slice(i + 1).map((b) => Math.sign(b.value - a.value)));
    expect(counted.reduce((sum, sign) => sum + sign, 0)).toBe(score);
    expect((measureDrift([values])?.p ?? NaN) / 2).toBeCloseTo(tail, 3);
  });

  it('has the median slope over all pairs, in any order of the values', () => {
    // The slopes between the pairs of 100, 101, 103, 120 at 0 to 3 h are 1, 1.5, 20/3, 2, 9.5 and 17. Their median is
    // (2 + 20/3) / 2; the median of the values is 102.
    const values = hours(100, 101, 103, 120);
    const expected = ((2 + 20 / 3) / 2 / 102) * 100;
    expect(measureDrift([values])?.pct_per_h).toBeCloseTo(expected, 9);
    const reversed = measureDrift([[...values].reverse()]);
    expect(reversed?.pct_per_h).toBeCloseTo(expected, 9);
    expect(reversed?.p).toBeCloseTo(measureDrift([values])?.p ?? NaN, 12);
  });

  it('compares only within a stratum', () => {
    // Two rising values have the score 1, and three rising values the score 3. Of the 2 x 6 orders of both strata, one
    // has the total score 4, and one -4.
    const drift = measureDrift([hours(1, 2), hours(100, 200, 300)]);
    expect(drift?.p).toBeCloseTo(2 / 12, 12);
    expect(measureDrift([hours(5), hours(1), hours(9)])).toBeNull();
    expect(measureDrift([])).toBeNull();
  });

  it('returns null if all values or all times are equal', () => {
    expect(measureDrift([hours(7, 7, 7)])).toMatchObject({
      p: expect.closeTo(1, 12) as number,
      pct_per_h: 0,
    });
    const together = [1, 2, 3].map((value) => ({ at_ms: 0, value }));
    expect(measureDrift([together])).toMatchObject({ p: expect.closeTo(1, 12) as number, pct_per_h: null });
  });
});
