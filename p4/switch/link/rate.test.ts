import { describe, expect, test } from 'vitest';
import { makeRate, type RateSettings } from './rate.ts';
import { seededRandom } from '../../../system/random/seeded-random.ts';

const MS = 1e6;
const never = (): number => 0.5;

/** Sends packets back to back. Returns the start and end of each packet in ms. */
function backToBack(settings: RateSettings, sizes: readonly number[], from = 0): [number, number][] {
  const rate = makeRate(settings, never);
  let free = from * MS;
  return sizes.map((bytes) => {
    const begin = rate.ready(free);
    free = rate.take(begin, bytes);
    return [begin / MS, free / MS];
  });
}

describe('a schedule', () => {
  // 8 Mbit/s is one byte per microsecond, 4 Mbit/s half of that.
  const settings: RateSettings = {
    kind: 'schedule',
    steps: [
      { seconds: 0.002, bitsPerSecond: 8e6 },
      { seconds: 0.003, bitsPerSecond: 4e6 },
    ],
  };

  test('sends packets at the current rate, also across steps', () => {
    // The first 1500 bytes take 1.5 ms. The next 1500 bytes take 0.5 ms for 500 bytes and 2 ms for 1000. The last 1500
    // bytes take 1 ms for 500 bytes, and then the schedule repeats.
    expect(backToBack(settings, [1500, 1500, 1500])).toEqual([
      [0, 1.5],
      [1.5, 4],
      [4, 6],
    ]);
  });

  test('starts with the first packet and continues while the link is idle', () => {
    const rate = makeRate(settings, never);
    expect(rate.take(rate.ready(1000 * MS), 1000)).toBe(1001 * MS);
    // 7 ms are one pass of 5 ms and the step of 2 ms, so 1500 bytes are sent at 4 Mbit/s.
    expect(rate.take(rate.ready(1007 * MS), 1500)).toBe(1010 * MS);
    // This is the start of the 21st pass.
    expect(rate.take(rate.ready(1100 * MS), 1000)).toBe(1101 * MS);
  });

  test('sends a packet across several steps', () => {
    const slow: RateSettings = { kind: 'schedule', steps: [{ seconds: 0.001, bitsPerSecond: 80_000 }] };
    // The rate is 10 bytes per ms.
    expect(backToBack(slow, [1000])).toEqual([[0, 100]]);
  });
});

describe('a trace', () => {
  const settings: RateSettings = { kind: 'trace', opportunities_ms: [2, 2, 5], duration_ms: 5 };

  test('sends a full frame per opportunity and repeats', () => {
    expect(backToBack(settings, [1514, 1514, 1514, 1514]).map(([, end]) => end)).toEqual([2, 2, 5, 7]);
  });

  test('sends small frames together, and a frame that needs two opportunities with the second', () => {
    expect(backToBack(settings, [500, 500, 600, 1428, 1514]).map(([, end]) => end)).toEqual([2, 2, 2, 2, 5]);
    // A jumbo frame takes three opportunities.
    expect(backToBack(settings, [4000]).map(([, end]) => end)).toEqual([5]);
  });

  test('wastes unused opportunities', () => {
    const rate = makeRate(settings, never);
    rate.take(rate.ready(0), 1514);
    expect(rate.ready(3 * MS)).toBe(5 * MS);
    expect(rate.take(5 * MS, 100)).toBe(5 * MS);
    // A 100-byte packet used a part of an opportunity. The rest is available at the same time, but not later.
    expect(rate.ready(5 * MS)).toBe(5 * MS);
    expect(rate.ready(5 * MS + 1)).toBe(7 * MS);
    // The 1000th pass ends at 5000 ms with an opportunity. The next opportunities are 2 ms later.
    expect(rate.ready(5000 * MS)).toBe(5000 * MS);
    expect(rate.ready(5000 * MS + 1)).toBe(5002 * MS);
  });
});

test('the times of a Poisson process have the expected mean and standard deviation', () => {
  const rate = makeRate({ kind: 'poisson', bitsPerSecond: 8e6 }, seededRandom(3));
  const times = Array.from({ length: 20_000 }, () => rate.take(0, 1000) / MS);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const deviation = Math.sqrt(times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / times.length);
  // 1000 bytes take 1 ms on average. The tolerance of the mean is four standard errors: 4/√20,000 = 0.028. The standard
  // deviation, whose standard error is √2 times as large, has twice this tolerance.
  expect(Math.abs(mean - 1)).toBeLessThan(0.028);
  expect(Math.abs(deviation - 1)).toBeLessThan(0.057);
  expect(times.every((time) => time > 0 && Number.isFinite(time))).toBe(true);
});
