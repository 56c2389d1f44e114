import { describe, expect, test } from 'vitest';
import { makeRate, type RateSettings } from './rate.ts';
import { seededRandom } from '../../../system/random/seeded-random.ts';

const MS = 1e6;
const never = (): number => 0.5;

/** Packets that are always there: when each begins and ends, in ms. */
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
  // 8 Mbit/s is a byte a microsecond, and 4 Mbit/s half of one.
  const settings: RateSettings = {
    kind: 'schedule',
    steps: [
      { seconds: 0.002, bitsPerSecond: 8e6 },
      { seconds: 0.003, bitsPerSecond: 4e6 },
    ],
  };

  test('sends each packet at the rate of the moment, one across two steps at both', () => {
    // 1500 bytes: 1.5 ms. Then 0.5 ms for 500 bytes, 1000 more in 2 ms. Then 1 ms for 500, and the schedule begins anew.
    expect(backToBack(settings, [1500, 1500, 1500])).toEqual([
      [0, 1.5],
      [1.5, 4],
      [4, 6],
    ]);
  });

  test('counts from its first packet, and goes on while the link is idle', () => {
    const rate = makeRate(settings, never);
    expect(rate.take(rate.ready(1000 * MS), 1000)).toBe(1001 * MS);
    // A pass of 5 ms later, and 2 ms: 1500 bytes at 4 Mbit/s.
    expect(rate.take(rate.ready(1007 * MS), 1500)).toBe(1010 * MS);
    // 20 passes later.
    expect(rate.take(rate.ready(1100 * MS), 1000)).toBe(1101 * MS);
  });

  test('spans as many steps as a packet needs', () => {
    const slow: RateSettings = { kind: 'schedule', steps: [{ seconds: 0.001, bitsPerSecond: 80_000 }] };
    // 10 bytes a ms.
    expect(backToBack(slow, [1000])).toEqual([[0, 100]]);
  });
});

describe('a trace', () => {
  const settings: RateSettings = { kind: 'trace', opportunities_ms: [2, 2, 5], duration_ms: 5 };

  test('sends a full frame at each opportunity, and begins anew after the last', () => {
    expect(backToBack(settings, [1514, 1514, 1514, 1514]).map(([, end]) => end)).toEqual([2, 2, 5, 7]);
  });

  test('sends small ones together, and one across two opportunities with the second', () => {
    expect(backToBack(settings, [500, 500, 600, 1428, 1514]).map(([, end]) => end)).toEqual([2, 2, 2, 2, 5]);
    // Jumbo: three opportunities.
    expect(backToBack(settings, [4000]).map(([, end]) => end)).toEqual([5]);
  });

  test('wastes what nobody used', () => {
    const rate = makeRate(settings, never);
    rate.take(rate.ready(0), 1514);
    expect(rate.ready(3 * MS)).toBe(5 * MS);
    expect(rate.take(5 * MS, 100)).toBe(5 * MS);
    // What the packet of 100 bytes left is there at the same moment, and not after it.
    expect(rate.ready(5 * MS)).toBe(5 * MS);
    expect(rate.ready(5 * MS + 1)).toBe(7 * MS);
    // Far ahead: the 1000th pass, at its end two of its three and at 2 ms of the next two.
    expect(rate.ready(5000 * MS)).toBe(5000 * MS);
    expect(rate.ready(5000 * MS + 1)).toBe(5002 * MS);
  });
});

test('a Poisson process has the rate in the mean, and a standard deviation of a mean', () => {
  const rate = makeRate({ kind: 'poisson', bitsPerSecond: 8e6 }, seededRandom(3));
  const times = Array.from({ length: 20_000 }, () => rate.take(0, 1000) / MS);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const deviation = Math.sqrt(times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / times.length);
  // 1000 bytes take 1 ms; four standard errors are 4/√20,000 = 0.028, of the deviation twice that.
  expect(Math.abs(mean - 1)).toBeLessThan(0.028);
  expect(Math.abs(deviation - 1)).toBeLessThan(0.057);
  expect(times.every((time) => time > 0 && Number.isFinite(time))).toBe(true);
});
