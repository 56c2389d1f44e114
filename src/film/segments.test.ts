import { describe, expect, it } from 'vitest';
import {
  meanBitrate,
  nominalSegments,
  segmentAt,
  createSizes,
  totalDuration,
  totalSize,
  type SegmentSizes,
} from './segments.ts';
import { sizesFromLists } from '../testing/sizes-from-lists.ts';
import { bytes, kbps, seconds } from '../units.ts';

/** Segments that begin at 0, 2, 4, 6 and 8 s; the last one is half as long. */
const durations = [2, 2, 2, 2, 1].map(seconds);
const sizes = sizesFromLists(durations, new Map([['a', [10, 20, 30, 40, 50].map(bytes)]]));
const upcoming = (from: number, horizon: number, rung = 'a') =>
  sizes.upcoming(rung, seconds(from), seconds(horizon))?.map(({ size }) => size);

describe('sizesFromLists', () => {
  it('starts at the segment of the requested time', () => {
    expect(upcoming(0, 2)).toEqual([10]);
    expect(upcoming(4, 2)).toEqual([30]);
  });

  it('tolerates a buffer level that is off by half a segment in either direction', () => {
    expect(upcoming(3.9, 2)).toEqual([30]);
    expect(upcoming(4.1, 2)).toEqual([30]);
    expect(upcoming(5, 2)).toEqual([30]);
    expect(upcoming(5.01, 2)).toEqual([40]);
    expect(upcoming(-1, 2)).toEqual([10]);
  });

  it('returns segments until the horizon is covered, at least one', () => {
    expect(upcoming(0, 1e-3)).toEqual([10]);
    expect(upcoming(0, 4)).toEqual([10, 20]);
    expect(upcoming(0, 4.001)).toEqual([10, 20, 30]);
    expect(upcoming(2, 100)).toEqual([20, 30, 40, 50]);
  });

  it('has the duration of each segment', () => {
    const last = sizes.upcoming('a', seconds(6), seconds(10)) ?? [];
    expect(last).toMatchObject([
      { size: 40, duration: 2 },
      { size: 50, duration: 1 },
    ]);
    expect(totalSize(last)).toBe(90);
    expect(totalDuration(last)).toBe(3);
    // The last two segments have 90 bytes in 3 s, which is 240 bit/s.
    expect(meanBitrate(last)).toBeCloseTo(0.24, 12);
  });

  it('returns undefined past the end, for an unknown rung, and for a time that is not a number', () => {
    expect(upcoming(8.5, 10)).toEqual([50]);
    expect(upcoming(9, 10)).toBeUndefined();
    expect(upcoming(1e9, 10)).toBeUndefined();
    expect(upcoming(0, 10, 'b')).toBeUndefined();
    expect(upcoming(Number.NaN, 10)).toBeUndefined();
  });

  it('uses as many segments as the shorter of the two lists', () => {
    const short = sizesFromLists(durations, new Map([['a', [10].map(bytes)]]));
    expect(short.upcoming('a', seconds(0), seconds(10))).toMatchObject([{ size: 10, duration: 2 }]);
    expect(short.upcoming('a', seconds(2), seconds(10))).toBeUndefined();
  });
});

describe('createSizes', () => {
  /** Segments of 2 s that begin at the given times. The size of each in bytes is its start in s. */
  const known = (...starts: number[]) =>
    createSizes(() =>
      starts.map((start) => ({ start: seconds(start), duration: seconds(2), size: bytes(start) })),
    );
  const sizesFound = (given: SegmentSizes, from: number, horizon: number) =>
    given.upcoming('a', seconds(from), seconds(horizon))?.map(({ size }) => size);

  it('returns nothing if the next known segment begins much later', () => {
    expect(sizesFound(known(60, 62), 0, 10)).toBeUndefined();
    expect(sizesFound(known(60, 62), 58.9, 10)).toBeUndefined();
    expect(sizesFound(known(60, 62), 59, 10)).toEqual([60, 62]);
  });

  it('stops at a gap', () => {
    expect(sizesFound(known(2, 4, 60, 62), 2, 10)).toEqual([2, 4]);
    // A difference within the tolerance is not a gap, because segment times are inexact.
    expect(sizesFound(known(2, 4.1, 6), 2, 10)).toEqual([2, 4.1, 6]);
  });
});

describe('segmentAt', () => {
  it('returns the segment that begins at the given time, within the tolerance', () => {
    expect(segmentAt(sizes, 'a', seconds(4))?.size).toBe(30);
    expect(segmentAt(sizes, 'a', seconds(3.9))?.size).toBe(30);
    expect(segmentAt(sizes, 'b', seconds(4))).toBeUndefined();
    expect(segmentAt(undefined, 'a', seconds(4))).toBeUndefined();
  });
});

describe('nominalSegments', () => {
  it('have the nominal bitrate: 800 kbit/s over 10 s are 1 MB', () => {
    const rung = { id: 'a', bitrate_kbps: kbps(800) };
    const segments = nominalSegments(rung, seconds(10), seconds(5));
    expect(segments).toEqual(Array(2).fill({ size: 500_000, duration: 5 }));
    expect(meanBitrate(segments)).toBe(800);
    // Three segments of 4 s cover 10 s. Without a known duration, segments have 2 s.
    expect(nominalSegments(rung, seconds(10), seconds(4)).length).toBe(3);
    expect(nominalSegments(rung, seconds(10))).toEqual(Array(5).fill({ size: 200_000, duration: 2 }));
  });
});
