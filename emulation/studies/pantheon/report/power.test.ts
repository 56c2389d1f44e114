import { expect, it } from 'vitest';
import type { PantheonResult } from '../run-files.ts';
import { bestByPower, countBetter, powerChange_pct } from './power.ts';

const scheme = (
  name: string,
  throughput_mbps: number,
  delay_p95_ms: number,
  fault: string | null = null,
) => ({
  scheme: name,
  results: [{ k: 1, fault, statistics: { throughput_mbps, delay_p95_ms } } as PantheonResult],
});

it('is the scheme with the highest throughput over delay, of those with a result', () => {
  const best = bestByPower([
    scheme('cubic', 12, 100),
    scheme('vegas', 11, 25),
    scheme('srt', 12, 1, 'floods'),
  ]);
  // By hand: 11 Mbit/s / 0.025 s.
  expect(best).toEqual({ scheme: 'vegas', power: 440 });
  expect(bestByPower([])).toBeUndefined();
});

it('a scheme is on the frontier if no scheme is better by 5% in both', () => {
  const indigo = scheme('indigo', 10, 50);
  const others = [
    ...[scheme('better', 10.5, 47.5), scheme('hardly', 10.4, 40), scheme('slower', 9.9, 20)],
    scheme('later', 12, 51),
  ];
  expect(countBetter(indigo, [indigo, ...others])).toEqual([1]);
  const again = { ...indigo, results: indigo.results.flatMap((one) => [one, { ...one, k: 2 }]) };
  // By hand: 1 in the first repetition and 0 in the second, so 0.5 ± t · √(0.5/2), with Student's t = 12.7062.
  const [count, low, high] = countBetter(again, [again, ...others]) ?? [];
  expect([count, low, high].map((each) => each?.toFixed(3))).toEqual(['0.500', '-5.853', '6.853']);
});

it('power is compared within a repetition', () => {
  // By hand: the ratio of 12/40 to 10/50 is 1.5.
  const change = powerChange_pct(scheme('one', 12, 40), scheme('other', 10, 50));
  expect(change?.[0]).toBeCloseTo(50, 9);
  expect(powerChange_pct(scheme('one', 12, 40), scheme('other', 10, 50, 'crashed'))).toBeNull();
});
