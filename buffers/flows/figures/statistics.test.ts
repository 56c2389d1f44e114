import { describe, expect, it } from 'vitest';
import { bufferForShare, depthQuantile, fitPower } from './statistics.ts';
import { depthBins, findEvents } from './series.ts';

describe('fitPower', () => {
  it('finds the exponent -1/2 of BDP/√n for any BDP', () => {
    const points = [1, 4, 16, 64].map((n) => ({ x: n, y: 165 / Math.sqrt(n) }));
    expect(fitPower(points)).toBeCloseTo(-0.5, 12);
  });

  it('fits by least squares', () => {
    const points = [1, 0, -1, 0].map((off, at) => ({ x: 10 ** at, y: 10 ** (2 * at) * 10 ** off }));
    // The logarithms are 1, 2, 3, 6 at 0, 1, 2, 3. The sum of (x - 1.5)(y - 3) is 8, and the sum of (x - 1.5)² is 5.
    expect(fitPower(points)).toBeCloseTo(8 / 5, 12);
  });

  it('is null for a single point, for points with equal x, and for values without a logarithm', () => {
    expect(fitPower([{ x: 1, y: 1 }])).toBeNull();
    expect(fitPower([1, 2].map((y) => ({ x: 4, y })))).toBeNull();
    expect(fitPower([0, 2].map((x) => ({ x, y: 1 })))).toBeNull();
  });
});

describe('bufferForShare', () => {
  const tried = [
    { buffer: 160, share: 1 },
    { buffer: 10, share: 0.8 },
    { buffer: 40, share: 0.96 },
  ];

  it('interpolates between the nearest two buffers by their logarithms', () => {
    // 0.88 is halfway from 0.8 to 0.96, so the buffer is √(10 x 40).
    expect(bufferForShare(tried, 0.88)?.buffer).toBeCloseTo(20, 9);
    // 0.99 is three quarters of the way from 0.96 to 1, so the buffer is 40 x 4^(3/4).
    expect(bufferForShare(tried, 0.99)).toEqual({
      buffer: expect.closeTo(113.137, 3) as number,
      atMost: false,
    });
  });

  it('starts from the largest buffer whose share is too small', () => {
    const dip = [...tried, { buffer: 80, share: 0.9 }];
    expect(bufferForShare(dip, 0.95)?.buffer).toBeCloseTo(80 * 2 ** 0.5, 9);
  });

  it('is at most the smallest buffer if all suffice, and unknown if none does', () => {
    expect(bufferForShare(tried, 0.5)).toEqual({ buffer: 10, atMost: true });
    expect(bufferForShare(tried.slice(1), 0.99)).toBeNull();
    expect(bufferForShare([], 0.99)).toBeNull();
  });
});

describe('depthQuantile', () => {
  it('uses the nearest rank of the counts', () => {
    // The depths are 0, 0, 2, 2, 2, 5.
    const counts = [2, 0, 3, 0, 0, 1];
    expect([0.01, 1 / 3, 0.34, 0.5, 5 / 6, 0.99].map((part) => depthQuantile(counts, part))).toEqual([
      0, 0, 2, 2, 2, 5,
    ]);
    expect(depthQuantile([], 0.5)).toBeNull();
    expect(depthQuantile([0, 0], 0.5)).toBeNull();
  });
});

describe('the queue over time', () => {
  const packet = (t_s: number, depth_packets: number, fate = 'forwarded') => ({
    t_s,
    depth_packets,
    fate,
    flow: 0,
  });

  it('has the minimum and maximum depth in each bin, without packets dropped at the tail', () => {
    const packets = [
      packet(0.9, 99),
      packet(1, 5),
      packet(1.1, 3),
      packet(1.2, 9, 'queue_full'),
      packet(1.6, 7),
      packet(2, 1),
    ];
    expect(depthBins(packets, { from_s: 1, to_s: 2, bins: 2 })).toEqual([
      { t_s: 1, least: 3, most: 5 },
      { t_s: 1.5, least: 7, most: 7 },
    ]);
  });

  it('has a loss event at the first loss after a time without losses', () => {
    const packets = [
      packet(1, 0, 'queue_full'),
      packet(1.3, 0, 'marked'),
      packet(1.4, 0),
      packet(1.9, 0, 'queue_full'),
    ];
    expect(findEvents(packets, 0.5)).toEqual([1, 1.9]);
  });
});
