import { describe, expect, it } from 'vitest';
import { constantRate, scheduledRate, tracedRate } from './rates.ts';

const first = (link: (ms: number) => number, count: number) =>
  Array.from({ length: count }, (_, ms) => link(ms));

describe('rates', () => {
  it('has 5000 bytes a millisecond at 40 Mbit/s', () => {
    expect(first(constantRate(40), 3)).toEqual([5000, 5000, 5000]);
  });

  it('follows a schedule, again and again', () => {
    const link = scheduledRate([
      { seconds: 0.002, mbps: 8 },
      { seconds: 0.001, mbps: 16 },
    ]);
    expect(first(link, 7)).toEqual([1000, 1000, 2000, 1000, 1000, 2000, 1000]);
  });

  it('delivers a packet of 1504 bytes at each opportunity of a trace, again and again', () => {
    // Two in the millisecond that ends at 1, one in that which ends at 3, which is also where it begins anew.
    const link = tracedRate({ opportunities_ms: [1, 1, 3], duration_ms: 3, mean_mbps: 12.032 });
    expect(first(link, 6)).toEqual([3008, 0, 1504, 3008, 0, 1504]);
  });
});
