import { expect, it } from 'vitest';
import { computeStatistics } from '../pantheon/flow-statistics.ts';
import { measureHidden, type HiddenPathName } from './hidden-paths.ts';

const span = { starts_s: [0], from_s: 3, seconds: 12 };

it.each<[HiddenPathName, number, number]>([
  // 8 Mbit/s of tokens, of which a frame of 1514 bytes carries 1500.
  ['policer', 5, 7.93],
  // All of 15 Mbit/s: ACKs that come together lose nothing in a queue of 1.6 BDP.
  ['aggregation', 13, 14.87],
  // 16 packets in 3.2 ms and the 12 until the next burst: 12.7 Mbit/s of frames in the mean.
  ['wifi', 10, 14.5],
  // Beside another flow on 16 Mbit/s.
  ['cross', 2, 13.9],
  // 8.4 to 15 Mbit/s.
  ['wandering', 9, 14.8],
])('cubic on the path %s gets between %d and %d Mbit/s', async (name, least, most) => {
  const { throughput_mbps } = computeStatistics(
    await measureHidden(name, { scheme: 'cubic', seconds: span.seconds, seed: 1 }),
    span,
  );
  expect(throughput_mbps).toBeGreaterThan(least);
  expect(throughput_mbps).toBeLessThanOrEqual(most);
});
