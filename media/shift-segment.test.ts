import { describe, expect, it } from 'vitest';
import { mediaTimescale, shiftSegment } from './shift-segment.ts';

const u32 = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
const box = (type: string, ...content: number[]): number[] => [
  ...u32(8 + content.length),
  ...new TextEncoder().encode(type),
  ...content,
];

describe('shiftSegment', () => {
  it('adds to the decode time, which is 32 or 64 bits long', () => {
    const segment = (version: number, time: number[]) =>
      Uint8Array.from(box('moof', ...box('traf', ...box('tfdt', version, 0, 0, 0, ...time))));
    const long = segment(1, [...u32(0), ...u32(24_576)]);
    shiftSegment(long, 60, 12_288);
    // 24,576 + 60 * 12,288 = 761,856
    expect(Array.from(long.slice(-8))).toEqual([...u32(0), ...u32(761_856)]);
    const short = segment(0, u32(5));
    shiftSegment(short, 2, 1000);
    expect(Array.from(short.slice(-4))).toEqual(u32(2005));
  });

  it('adds to the index in the ticks of the index', () => {
    const index = Uint8Array.from(
      box(
        'sidx',
        1,
        0,
        0,
        0,
        ...u32(1),
        ...u32(1000),
        ...u32(0),
        ...u32(7),
        ...u32(0),
        ...u32(0),
        0,
        0,
        0,
        0,
      ),
    );
    shiftSegment(index, 3, 12_288);
    expect(Array.from(index.slice(20, 28))).toEqual([...u32(0), ...u32(3007)]);
  });

  it('does not change data that is not MP4', () => {
    const text = new TextEncoder().encode('not a segment at all');
    shiftSegment(text, 60, 1000);
    expect(new TextDecoder().decode(text)).toBe('not a segment at all');
  });
});

describe('mediaTimescale', () => {
  it('reads the media header', () => {
    const header = box('mdhd', 0, 0, 0, 0, ...u32(0), ...u32(0), ...u32(48_000), ...u32(0), ...u32(0));
    expect(mediaTimescale(Uint8Array.from(box('moov', ...box('trak', ...box('mdia', ...header)))))).toBe(
      48_000,
    );
  });

  it('throws for a file without a media header', () => {
    expect(() => mediaTimescale(new Uint8Array(40))).toThrow(/no mdhd box/);
  });
});
