import { expect, it } from 'vitest';
import { computeSpread } from './ellipse.ts';

it('the 1-sigma ellipse of runs along the axes reaches one standard deviation each way', () => {
  // By hand: the means are 50 and 10, the variances (4 · 10²) / 3 and (4 · 1²) / 3 (n - 1 = 3), and the covariance is
  // 0.
  const runs = [
    [60, 11],
    [40, 9],
    [60, 9],
    [40, 11],
  ].map(([delay_ms = 0, throughput_mbps = 0]) => ({ delay_ms, throughput_mbps }));
  const { mean, outline } = computeSpread(runs);
  expect(mean).toEqual({ delay_ms: 50, throughput_mbps: 10 });
  expect(Math.max(...outline.map(({ delay_ms }) => delay_ms))).toBeCloseTo(50 + Math.sqrt(400 / 3), 9);
  expect(Math.max(...outline.map(({ throughput_mbps }) => throughput_mbps))).toBeCloseTo(
    10 + Math.sqrt(4 / 3),
    9,
  );
});

it('the ellipse of runs on a line is the line, and two runs have none', () => {
  const line = [1, 2, 3].map((x) => ({ delay_ms: 10 * x, throughput_mbps: x }));
  for (const { delay_ms, throughput_mbps } of computeSpread(line).outline)
    expect(throughput_mbps).toBeCloseTo(delay_ms / 10, 9);
  expect(computeSpread(line.slice(1)).outline).toEqual([]);
});
