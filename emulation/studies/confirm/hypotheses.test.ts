import { describe, expect, it } from 'vitest';
import { PAPER_LINK } from '../../network/links/link.ts';
import type { RunRecord } from '../../player/records/run-record.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import type { ConfirmationSettings } from './confirmation-settings.ts';
import { shownByHolm, testHypotheses } from './hypotheses.ts';
import type { Claim } from './protocol.ts';

describe('shownByHolm', () => {
  it("stops at the first claim that is not shown, as in Holm's procedure", () => {
    // By hand: the limits are 0.05 / 4 = 0.0125, 0.05 / 3 = 0.0167, 0.05 / 2 = 0.025 and 0.05.
    expect(shownByHolm([0.01, 0.04, 0.03, 0.005], 0.05)).toEqual([true, false, false, true]);
    expect(shownByHolm([0.01, 0.04, 0.02, 0.005], 0.05)).toEqual([true, true, true, true]);
    expect(shownByHolm([0.013, 0.013, 0.013, 0.013], 0.05)).toEqual([false, false, false, false]);
    expect(shownByHolm([0.05], 0.05)).toEqual([true]);
  });
});

describe('testHypotheses', () => {
  const claim = (more: Partial<Claim>): Claim => ({
    ...{
      sets: ['a'],
      arm: 'sammy-paper',
      against: 'dashjs',
      metric: 'mean_ssim_db',
      difference: 'above',
      bound: 0,
    },
    ...more,
  });
  /** Settings with two positions in each trace. The second position has no value in the first trace. */
  const settings = (claims: readonly Claim[], traces: number): ConfirmationSettings => ({
    ...{ name: 'confirm', about: '', figure: '', runs: 1, seconds: 60, arms: ['dashjs', 'sammy-paper'] },
    ...{ link: PAPER_LINK, paired: true },
    conditions: Array.from({ length: 2 * traces }, (_, index) => ({
      name: `a.${index}`,
      cluster: `a/${Math.floor(index / 2)}`,
    })),
    protocol: {
      ...{ version: 1, name: 'x', question: '', places: { per_trace: 2, seed: 1, seconds: 60 } },
      ...{ sets: { a: { about: '', sha256: null } }, arms: [], claims, error_rate: 0.025 },
      ...{ multiplicity: 'holm', stopping: 'all-sessions' },
    },
  });
  const records = (
    values: (index: number) => readonly [dashjs: number | null, sammy: number],
    traces: number,
  ) =>
    Array.from({ length: 2 * traces }, (_, index) =>
      values(index).map((mean_ssim_db, arm) => ({
        ...{ arm: ['dashjs', 'sammy-paper'][arm], condition: `a.${index}`, k: 1, metrics: { mean_ssim_db } },
      })),
    ).flat() as unknown as RunRecord[];

  it('counts the positions of a trace as one observation, and omits traces without a value', () => {
    // Trace 0 has no value of dashjs. In the other traces, the differences at the two positions are 1 and 3, with the
    // mean 2.
    const found = testHypotheses(
      settings([claim({})], 8),
      records((index) => (index < 2 ? [null, 20] : [15, index % 2 === 0 ? 16 : 18]), 8),
      1,
    );
    expect(found[0]).toMatchObject({ traces: 7, left_out: 1, mean_difference: 2, ci95: [2, 2] });
    // The means of the 127 non-empty subsets of seven differences divide the line into 128 parts. All means are 2, so
    // only one part reaches beyond the bound.
    expect(found[0]?.p).toBe(1 / 128);
    expect(found[0]?.is_shown).toBe(true);
  });

  it('shows false claims no more often than the error rate', () => {
    const random = seededRandom(5);
    const simulations = 300;
    let shown = 0;
    for (let simulation = 0; simulation < simulations; simulation++) {
      const claims = [claim({}), claim({ difference: 'below' })];
      const drawn = records(() => [15 + 2 * random(), 15 + 2 * random()], 8);
      shown += Number(
        testHypotheses(settings(claims, 8), drawn, simulation).some(({ is_shown }) => is_shown),
      );
    }
    // The limit is 2.5%, plus three standard errors.
    expect(shown / simulations).toBeLessThan(0.025 + 3 * Math.sqrt((0.025 * 0.975) / simulations));
  });

  it('shows no claim with two traces', () => {
    const found = testHypotheses(
      settings([claim({})], 2),
      records(() => [15, 18], 2),
      1,
    );
    expect(found[0]).toMatchObject({ ci95: null, p: 1, is_shown: false });
  });
});
