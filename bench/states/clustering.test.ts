import { expect, it } from 'vitest';
import { seededRandom } from '../../emulation/ground/statistics/random.ts';
import { measureClustering, splitEpochs, clusteringRatio } from './clustering.ts';

const random = seededRandom(3);
const normal = (): number => Array.from({ length: 12 }, random).reduce((a, b) => a + b, -6);
const sessions = (draw: () => number) =>
  Array.from({ length: 200 }, () => measureClustering(Array.from({ length: 20 }, draw))).flatMap(
    (each) => each ?? [],
  );

it('takes the mean of each whole epoch, across steps, and no epoch that the steps do not fill', () => {
  const steps = [
    { seconds: 4, mbps: 1 },
    { seconds: 4, mbps: 4 },
    { seconds: 7, mbps: 2 },
  ];
  expect(splitEpochs(steps, 6, 60)).toEqual([2, (2 * 4 + 4 * 2) / 6]);
  expect(splitEpochs(steps, 6, 6)).toEqual([2]);
});

it('is about 1 for log-normal throughput, whatever its spread, and several times as much for two states', () => {
  for (const spread of [0.1, 0.5, 1]) {
    const ratio = clusteringRatio(sessions(() => Math.exp(spread * normal())));
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.15);
  }
  const twoStates = sessions(() => (random() < 0.5 ? 1 : 3) * Math.exp(0.01 * normal()));
  expect(clusteringRatio(twoStates)).toBeGreaterThan(4);
});

it('says nothing of outages, of constant throughput, and of sessions that end at once', () => {
  expect(measureClustering([0, 0, 0, 0])).toBeNull();
  expect(measureClustering([2, 2, 2])).toBeNull();
  expect(measureClustering([2, 3])).toBeNull();
});
