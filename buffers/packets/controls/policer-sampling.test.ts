import { describe, expect, it } from 'vitest';
import { PolicerSampling } from './policer-sampling.ts';

/**
 * Simulates rounds of 10 ms that deliver 100 packets and lose `lostEach`. Returns the detector's state after each
 * round.
 */
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
  it('needs two intervals of four rounds with a loss of a fifth at the same rate', () => {
    const seen = rounds(new PolicerSampling(), 20, 25);
    const first = seen.findIndex(({ rate }) => rate !== undefined);
    // The first interval consists of the round that starts the sampling and three more. The second interval needs four
    // rounds, so the eighth round (index 7) detects the policer.
    expect(first).toBe(7);
    expect(seen[first]?.rate).toBeCloseTo(10, 9);
  });

  it('ignores a loss of 19 packets per 100 delivered', () => {
    // The limit of 50/256 is 19.5%.
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
