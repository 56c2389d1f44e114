import { describe, expect, it } from 'vitest';
import { AUDIO_INITIALIZATION, writeSegment, VIDEO_INITIALIZATION } from '../in-process/synthetic-media.ts';
import { MediaReader } from './read-media.ts';
import { TrackBuffer } from './track-buffer.ts';

/** A complete segment, in which everything except the boxes is zero. */
function whole(start_s: number, duration_s: number, size: number): Uint8Array {
  const segment = new Uint8Array(size);
  segment.set(writeSegment(start_s, duration_s, size));
  return segment;
}

describe('MediaReader', () => {
  it('reads the start and end of a segment', () => {
    const reader = new MediaReader();
    expect(reader.initialized).toBe(false);
    expect(reader.read(VIDEO_INITIALIZATION)).toEqual([]);
    expect(reader.initialized).toBe(true);
    // The fragment has 24 samples per second.
    const fragment = { start_s: 5000, end_s: 5002, bytes: 1000, sample_s: 1 / 24 };
    expect(reader.read(whole(5000, 2, 1000))).toEqual([fragment]);
  });

  it('shifts audio by its edit list: 312 samples at 48,000 per second', () => {
    const reader = new MediaReader();
    reader.read(AUDIO_INITIALIZATION);
    const [fragment] = reader.read(whole(2, 2, 1000));
    expect(fragment?.start_s).toBeCloseTo(2 - 0.0065, 9);
    expect(fragment?.end_s).toBeCloseTo(4 - 0.0065, 9);
  });

  it('waits for the remaining bytes of a box', () => {
    const reader = new MediaReader();
    const [first, second] = [VIDEO_INITIALIZATION, whole(2, 2, 1000)];
    const bytes = new Uint8Array([...first, ...second]);
    const ends = [100, first.length + 20, first.length + second.length - 1];
    const found = [0, ...ends].map((from, index) => reader.read(bytes.subarray(from, ends[index])).length);
    expect(found).toEqual([0, 0, 0, 1]);
  });

  it('refuses unsupported media', () => {
    expect(() => new MediaReader().read(whole(0, 2, 1000))).toThrow(
      'media before its initialization segment',
    );
    expect(() => new MediaReader().read(new Uint8Array([0x1a, 0x45, 0xdf, 0xa3, 1, 2, 3, 4]))).toThrow(
      'not ISO BMFF',
    );
  });
});

describe('TrackBuffer', () => {
  const piece = (start_s: number, end_s: number, bytes = 100) => ({ start_s, end_s, bytes, sample_s: 0.04 });

  it('joins fragments less than two samples apart', () => {
    const buffer = new TrackBuffer(Infinity);
    for (const [start, end] of [
      [0, 2],
      [2.07, 4],
      [4.09, 6],
    ] as const)
      buffer.add(piece(start, end));
    expect(buffer.ranges).toEqual([
      [0, 4],
      [4.09, 6],
    ]);
  });

  it('replaces earlier media, and counts the remaining bytes', () => {
    const buffer = new TrackBuffer(Infinity);
    buffer.add(piece(0, 4, 400));
    buffer.add(piece(1, 2, 1000));
    expect(buffer.ranges).toEqual([[0, 4]]);
    expect(buffer.bytes).toBe(300 + 1000);
    buffer.remove(0, 3);
    expect(buffer.ranges).toEqual([[3, 4]]);
    expect(buffer.bytes).toBe(100);
  });

  it('frees space by removing played media only, the oldest first', () => {
    const buffer = new TrackBuffer(400);
    for (const start of [0, 2, 4]) buffer.add(piece(start, start + 2));
    expect(buffer.makeRoom(200, 5)).toBe(true);
    expect(buffer.ranges).toEqual([[2, 6]]);
    expect(buffer.makeRoom(400, 5)).toBe(false);
    expect(buffer.ranges).toEqual([[4, 6]]);
  });
});
