import { describe, expect, it } from 'vitest';
import { segmentAt } from './segments.ts';
import { readSidecar, sizesFromSidecar } from './sidecar.ts';
import { seconds } from '../units.ts';

const good = {
  version: 1,
  segment_duration_s: [2, 2, 1],
  representations: {
    low: { segment_bytes: [100, 200, 300], segment_ssim_db: [10, 11, 12] },
    high: { segment_bytes: [1000, 2000, 3000] },
  },
};

describe('readSidecar', () => {
  it('accepts a valid document', () => {
    expect(readSidecar(JSON.parse(JSON.stringify(good)))).toEqual(good);
  });

  const withLow = (low: unknown) => ({ ...good, representations: { low } });
  it.each([
    [null, /JSON object/],
    ['text', /JSON object/],
    [{ ...good, version: 2 }, /version is 2, expected 1/],
    [{ ...good, version: undefined }, /version is undefined/],
    [{ ...good, segment_duration_s: undefined }, /segment_duration_s/],
    [{ ...good, segment_duration_s: 2 }, /segment_duration_s/],
    [{ ...good, segment_duration_s: [2, '2'] }, /segment_duration_s/],
    [{ ...good, segment_duration_s: [2, -2] }, /segment_duration_s/],
    [{ ...good, segment_duration_s: [2, 0] }, /segment_duration_s/],
    [{ ...good, segment_duration_s: [Infinity] }, /segment_duration_s/],
    [{ ...good, representations: undefined }, /representations is (undefined|null), expected an object/],
    [{ ...good, representations: null }, /representations is (undefined|null), expected an object/],
    [withLow(null), /representations\.low is null, expected an object/],
    [withLow({}), /representations\.low\.segment_bytes/],
    [withLow({ segment_bytes: [1, Number.NaN] }), /representations\.low\.segment_bytes/],
    [withLow({ segment_bytes: [1, -1] }), /representations\.low\.segment_bytes/],
    [withLow({ segment_bytes: [1], segment_ssim_db: 'good' }), /representations\.low\.segment_ssim_db/],
    [withLow({ segment_bytes: [1], segment_ssim_db: [null] }), /representations\.low\.segment_ssim_db/],
  ])('names the invalid field: %j', (document, message) => {
    expect(() => readSidecar(document)).toThrow(message);
  });
});

describe('sizesFromSidecar', () => {
  it("returns each representation's own sizes", () => {
    const sizes = sizesFromSidecar(readSidecar(good));
    expect(sizes.upcoming('high', seconds(2), seconds(3))).toMatchObject([
      { size: 2000, duration: 2 },
      { size: 3000, duration: 1 },
    ]);
    expect(sizes.upcoming('none', seconds(2), seconds(3))).toBeUndefined();
  });

  it.each([
    ['low', 0, 10],
    ['low', 2, 11],
    ['low', 4, 12],
    // The given time need not be the exact start of a segment.
    ['low', 1.9, 11],
    ['low', 2.1, 11],
    ['low', 5, undefined],
    ['none', 0, undefined],
    ['high', 0, undefined],
  ])('has the SSIM of %s from %d s on: %d dB', (rung, time, ssim_db) => {
    expect(segmentAt(sizesFromSidecar(readSidecar(good)), rung, seconds(time))?.ssim_db).toBe(ssim_db);
  });
});
