import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../player/records/run-record.ts';
import { keepObservations, variationText } from './observations.ts';
import { summarize } from './summary.ts';
import { fixtureExperiment } from './testing/fixture.ts';
import { record } from './testing/records.ts';

const simulated = (arm: string, values: readonly number[], more: Partial<RunRecord> = {}): RunRecord[] =>
  values.map((chunk_throughput_kbps, index) => ({
    ...record(arm, index + 1, { chunk_throughput_kbps }),
    simulated: true,
    ...more,
  }));

describe('runs in virtual time', () => {
  it('that are identical are one observation, without an interval', () => {
    const records = [...simulated('dashjs', [40, 40, 40, 40]), ...simulated('sammy-paper', [10, 10, 10, 10])];
    const observations = keepObservations(records);
    expect(observations.map(({ arm, k }) => [arm, k])).toEqual([
      ['dashjs', 1],
      ['sammy-paper', 1],
    ]);
    const { arms, comparisons } = summarize(fixtureExperiment, observations, 1);
    expect(arms.dashjs?.chunk_throughput_kbps).toMatchObject({ median: 40, ci95: null, n: 1 });
    expect(comparisons).toMatchObject([{ change_pct: -75, ci95_pct: null }]);
    expect(variationText(fixtureExperiment, records)).toBe('nothing: the simulation is deterministic');
  });

  it('that differ are separate observations', () => {
    expect(keepObservations(simulated('dashjs', [40, 41, 40]))).toHaveLength(2);
  });

  it('are described by what differed', () => {
    const places = [0, 8].flatMap((film_from_s) => simulated('dashjs', [40 + film_from_s], { film_from_s }));
    expect(variationText(fixtureExperiment, places)).toMatch(/^where in the film a run begins \(2 places/);
    const lossy = { ...fixtureExperiment, link: { ...fixtureExperiment.link, loss: 0.01 } };
    expect(variationText(lossy, places)).toMatch(/2 places.*, and which packets are lost, by the seed/);
    expect(variationText({ ...lossy, runs: 1 }, places)).toBeUndefined();
  });
});

it('in real time are never merged', () => {
  const records = [1, 2, 3].map((k) => record('dashjs', k, { play_delay_ms: 200 }));
  expect(keepObservations(records)).toHaveLength(3);
  expect(variationText(fixtureExperiment, records)).toBeUndefined();
});
