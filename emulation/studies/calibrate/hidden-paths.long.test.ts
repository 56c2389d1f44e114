import { expect, it } from 'vitest';
import { computeStatistics } from '../pantheon/flow-statistics.ts';
import { measureHidden, type HiddenPathName } from './hidden-paths.ts';

const span = { starts_s: [0], from_s: 3, seconds: 12 };

it.each<[HiddenPathName, number, number]>([
  // The tokens allow 8 Mbit/s of frames of 1514 bytes, of which 1500 bytes count.
  ['policer', 5, 7.93],
  // Aggregated ACKs cause no loss in a queue of 1.6 BDP, so the flow gets all of 15 Mbit/s.
  ['aggregation', 13, 14.87],
  // Bursts of 16 frames take 3.2 ms, and gaps 12 ms on average: 16 x 1514 bytes per 15.2 ms are 12.7 Mbit/s.
  ['wifi', 10, 14.5],
  // Another flow shares the link of 16 Mbit/s.
  ['cross', 2, 13.9],
  // The rate varies from 8.4 to 15 Mbit/s.
  ['wandering', 9, 14.8],
])('cubic on the path %s gets between %d and %d Mbit/s', async (name, least, most) => {
  const { throughput_mbps } = computeStatistics(
    await measureHidden(name, { scheme: 'cubic', seconds: span.seconds, seed: 1 }),
    span,
  );
  expect(throughput_mbps).toBeGreaterThan(least);
  expect(throughput_mbps).toBeLessThanOrEqual(most);
});
