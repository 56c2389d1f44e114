import { expect, it } from 'vitest';
import type { PantheonResult } from '../run-files.ts';
import { bestByPower } from './summary.ts';

const scheme = (
  name: string,
  throughput_mbps: number,
  delay_p95_ms: number,
  fault: string | null = null,
) => ({
  scheme: name,
  results: [{ fault, statistics: { throughput_mbps, delay_p95_ms } } as PantheonResult],
});

it('is the scheme with the highest throughput over delay, of those that have a result', () => {
  const best = bestByPower([
    scheme('cubic', 12, 100),
    scheme('vegas', 11, 25),
    scheme('srt', 12, 1, 'floods'),
  ]);
  // By hand: 11 Mbit/s in 25 ms.
  expect(best).toEqual({ scheme: 'vegas', power: 440 });
  expect(bestByPower([])).toBeUndefined();
});
