import { describe, expect, it } from 'vitest';
import type { Capacity } from './capacity.ts';
import { constantRate, scheduledRate, tracedRate } from './rates.ts';

const first = (capacity: Capacity, count: number) =>
  Array.from({ length: count }, (_, ms) => Math.round(capacity.bytesBetween(ms, ms + 1)));

describe('rates', () => {
  it('carries 5000 bytes per millisecond at 40 Mbit/s', () => {
    expect(first(constantRate(40), 3)).toEqual([5000, 5000, 5000]);
  });

  it('repeats a schedule', () => {
    const capacity = scheduledRate([
      { seconds: 0.002, mbps: 8 },
      { seconds: 0.001, mbps: 16 },
    ]);
    expect(first(capacity, 7)).toEqual([1000, 1000, 2000, 1000, 1000, 2000, 1000]);
  });

  it('delivers a packet of 1504 bytes per opportunity, and repeats the trace', () => {
    // Two packets have arrived at the end of the first ms, and one more at the end of the third ms, where the trace
    // begins again.
    const capacity = tracedRate({ opportunities_ms: [1, 1, 3], duration_ms: 3, mean_mbps: 12.032 });
    expect([1, 3, 4, 6].map((ms) => Math.round(capacity.bytesUntil(ms) / 1504))).toEqual([2, 3, 5, 6]);
  });

  it('handles an opportunity at the beginning of a trace', () => {
    const capacity = tracedRate({ opportunities_ms: [0, 0, 2], duration_ms: 2, mean_mbps: 18 });
    expect(Math.round(capacity.bytesUntil(2) / 1504)).toBe(3);
  });

  it('computes when bytes have been carried, across a pause', () => {
    const capacity = scheduledRate([
      { seconds: 1, mbps: 8 },
      { seconds: 2, mbps: 0 },
    ]);
    // The link carries 1000 bytes per ms. From 500 ms on, half a second remains before the pause of 2 s.
    expect(capacity.timeToCarry(500, 500_000)).toBeCloseTo(1000, 6);
    expect(capacity.timeToCarry(500, 600_000)).toBeCloseTo(3100, 6);
    expect(capacity.timeToCarry(1500, 1)).toBeCloseTo(3000.001, 6);
    expect(capacity.timeToCarry(3500, 1_500_000)).toBeCloseTo(7000, 6);
  });

  it.each([
    [[{ seconds: 1, mbps: 0 }], 'a rate above 0'],
    [[], 'longer than 0 s'],
  ])('refuse a link of %j', (steps, message) => {
    expect(() => scheduledRate(steps)).toThrow(message);
  });
});
