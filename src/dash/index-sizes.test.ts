import { describe, expect, it } from 'vitest';
import { seconds } from '../units.ts';
import { IndexSizes, type IndexedSegment } from './index-sizes.ts';

/** Consecutive segments of 2 s, the first of which begins at `start`. */
const createIndex = (start: number, ...sizes: number[]): IndexedSegment[] => {
  let offset = 1000;
  return sizes.map((size, index) => {
    const mediaRange = `${offset}-${offset + size - 1}`;
    offset += size;
    return { presentationStartTime: start + index * 2, duration: 2, mediaRange };
  });
};
const upcoming = (index: IndexSizes, from: number, horizon: number, rung = 'a') =>
  index.sizes.upcoming(rung, seconds(from), seconds(horizon))?.map(({ size }) => size);

describe('IndexSizes', () => {
  it('computes sizes from inclusive byte ranges', () => {
    const index = new IndexSizes();
    index.learn('a', [{ presentationStartTime: 0, duration: 2, mediaRange: '0-99' }]);
    expect(upcoming(index, 0, 2)).toEqual([100]);
    expect(upcoming(index, 0, 2, 'b')).toBeUndefined();
  });

  it.each([
    [null],
    [undefined],
    [[]],
    [[{ presentationStartTime: 0, duration: 2 }]],
    [[{ presentationStartTime: 0, duration: 2, mediaRange: null }]],
    [[{ presentationStartTime: 0, duration: 2, mediaRange: '100-' }]],
    [[{ presentationStartTime: 0, duration: 2, mediaRange: '100-99' }]],
    [[{ presentationStartTime: 0, duration: 0, mediaRange: '0-99' }]],
    [[{ presentationStartTime: 0, duration: Number.NaN, mediaRange: '0-99' }]],
  ])('learns nothing from %j', (segments) => {
    const index = new IndexSizes();
    index.learn('a', segments);
    expect(upcoming(index, 0, 2)).toBeUndefined();
  });

  it('sorts the segments of a representation in several periods by time', () => {
    const index = new IndexSizes();
    index.learn('a', createIndex(4, 30, 40));
    index.learn('a', createIndex(0, 10, 20));
    expect(upcoming(index, 0, 8)).toEqual([10, 20, 30, 40]);
  });

  it('has no sizes of a period that has not been read, and none after the gap', () => {
    const index = new IndexSizes();
    index.learn('a', createIndex(60, 30, 40));
    expect(upcoming(index, 0, 10)).toBeUndefined();
    index.learn('a', createIndex(0, 10, 20));
    expect(upcoming(index, 0, 100)).toEqual([10, 20]);
    expect(upcoming(index, 60, 10)).toEqual([30, 40]);
  });

  it('has a repeated segment only once, with its latest size', () => {
    const index = new IndexSizes();
    index.learn('a', createIndex(0, 10, 20));
    index.learn('a', createIndex(2, 25, 30));
    expect(upcoming(index, 0, 8)).toEqual([10, 25, 30]);
  });
});
