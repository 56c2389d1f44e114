import { describe, expect, it } from 'vitest';
import { PolicerSampling } from './policer-sampling.ts';

/** Rounds of 10 ms that deliver 100 packets and lose so many; what is believed after each. */
function rounds(policer: PolicerSampling, count: number, lostEach: number, from = 0) {
  return Array.from({ length: count }, (_, index) => {
    const round = from + index + 1;
    const ended = policer.update({
      ...{ lost: lostEach, lostInAll: lostEach * round, delivered: 100 * round, delivered_ms: 10 * round },
      ...{ held: false, roundStarts: true, mayEnd: true },
    });
    return { rate: policer.rate, ended };
  });
}

describe("BBR's detection of a policer", () => {
  it('follows two intervals of four rounds with a loss of a fifth at the same rate', () => {
    const seen = rounds(new PolicerSampling(), 20, 25);
    const first = seen.findIndex(({ rate }) => rate !== undefined);
    // The first round begins the sampling and counts; the next three make four, and four more the second interval.
    expect(first).toBe(7);
    expect(seen[first]?.rate).toBeCloseTo(10, 9);
  });

  it('does not follow a loss of 19 packets per 100 delivered', () => {
    // 50 of 256 are 19.5%.
    expect(rounds(new PolicerSampling(), 60, 19).every(({ rate }) => rate === undefined)).toBe(true);
  });

  it('ends after 48 rounds', () => {
    const policer = new PolicerSampling();
    rounds(policer, 8, 25);
    expect(policer.rate).toBeDefined();
    const later = rounds(policer, 48, 0, 8);
    expect(later.findIndex(({ ended }) => ended)).toBe(47);
    expect(policer.rate).toBeUndefined();
  });
});
