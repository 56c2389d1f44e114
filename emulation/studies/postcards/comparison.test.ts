import { expect, it } from 'vitest';
import { compare } from './comparison.ts';

it('the change is between the means with and without postcards, with its interval and its test', () => {
  const result = (isReported: boolean, throughput_mbps: number) => ({
    ...{ scheme: 'bbr', isReported, throughput_mbps, srtt_p95_ms: 50, lateness_p99_ms: 0 },
  });
  const results = [11, 12, 13].map((mbps) => result(true, mbps));
  results.push(...[9, 10, 11].map((mbps) => result(false, mbps)));
  const compared = compare('bbr', 'throughput_mbps', results, () => 2);
  // By hand: the means of three values are 12 and 10, with variances of 1, so the standard error is √(1/3 + 1/3). A
  // shift of two standard deviations is 20% of 10.
  expect(compared?.change_pct[0]).toBeCloseTo(20, 9);
  expect(compared?.change_pct[1]).toBeCloseTo(100 * (0.2 - 0.1959964 * Math.sqrt(2 / 3)), 6);
  expect(compared?.detectable_pct).toBeCloseTo(20, 9);
  expect(compare('vegas', 'throughput_mbps', results)).toBeUndefined();
});
