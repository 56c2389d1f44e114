import { describe, expect, it } from 'vitest';
import type { Experiment } from '../experiments/experiment.ts';
import { seededRandom } from '../report/statistics/random.ts';
import { PAPER_LINK } from '../links/link.ts';
import { planRuns, runPath } from './plan.ts';

const experiment: Experiment = {
  ...{ name: 'x', about: '', figure: '', runs: 3, seconds: 10, link: PAPER_LINK },
  arms: ['a', 'b'],
  conditions: [{ name: 'fast' }, { name: 'slow', arms: ['a'] }],
};

describe('planRuns', () => {
  const planned = planRuns(experiment, seededRandom(1));

  it('has every arm under every condition that it has, once a round', () => {
    expect(planned).toHaveLength(9);
    for (const round of [0, 1, 2]) {
      const cells = planned.slice(round * 3, round * 3 + 3);
      expect(cells.map((run) => runPath(run)[1]).sort()).toEqual(['a@fast', 'a@slow', 'b@fast']);
      expect(cells.map(({ k }) => k)).toEqual([round + 1, round + 1, round + 1]);
    }
  });

  it('is the same for the same seed, and another for most others', () => {
    const order = (seed: number) =>
      planRuns(experiment, seededRandom(seed)).map((run) => runPath(run).join());
    expect(order(1)).toEqual(order(1));
    expect(new Set([1, 2, 3, 4, 5].map((seed) => order(seed).join())).size).toBeGreaterThan(1);
  });
});
