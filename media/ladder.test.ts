import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kbps } from '../src/units.ts';
import {
  FILM_LADDER,
  TEST_LADDER,
  correctedAsk,
  honestBitrate,
  ladderFrameRate,
  rungSize,
  segmentDurations,
  topSize,
} from './ladder.ts';

const sizes = (source: { width: number; height: number }) =>
  FILM_LADDER.map((rung) => rungSize(rung, source)).map(({ width, height }) => `${width}x${height}`);

test('both ladders have the same five rungs, up to 3.3 Mbit/s', () => {
  expect(FILM_LADDER.map((rung) => rung.bitrate)).toEqual([300, 700, 1300, 2100, 3300]);
  expect(TEST_LADDER.map((rung) => rung.id)).toEqual(FILM_LADDER.map((rung) => rung.id));
});

describe('rungSize', () => {
  test('keeps the ratio of 16:9: 1280 * 240 / 720 = 426.7, 1280 * 480 / 720 = 853.3', () => {
    expect(sizes({ width: 1280, height: 720 })).toEqual([
      '426x240',
      '640x360',
      '854x480',
      '1024x576',
      '1280x720',
    ]);
  });
  test('uses the width as the shorter side of a portrait video', () => {
    expect(sizes({ width: 1080, height: 1920 })[4]).toBe('720x1280');
  });
  test('never enlarges', () => {
    expect(sizes({ width: 320, height: 240 })).toEqual(Array(5).fill('320x240'));
  });
  test('is even and at least 2', () => {
    const side = fc.integer({ min: 1, max: 8000 });
    fc.assert(
      fc.property(side, side, fc.constantFrom(...FILM_LADDER), (width, height, rung) => {
        const size = rungSize(rung, { width, height });
        expect([size.width % 2, size.height % 2]).toEqual([0, 0]);
        expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(2);
      }),
    );
  });
  test('has the top rung last', () => {
    expect(topSize(FILM_LADDER, { width: 1920, height: 1080 })).toEqual({ width: 1280, height: 720 });
    expect(() => topSize([], { width: 1, height: 1 })).toThrow(RangeError);
  });
});

test.each([
  [24, 24],
  [24000 / 1001, 24],
  [30000 / 1001, 30],
  [25, 25],
  [12.5, 12.5],
  [60000 / 1001, 60],
  [120, 60],
  [1, 10],
])('ladderFrameRate(%d) is %d', (source, expected) => {
  expect(ladderFrameRate(source)).toBe(expected);
});

describe('segmentDurations', () => {
  test('divides 1450 frames at 24/s into 30 segments of 48 and one of 10', () => {
    const durations = segmentDurations(1450, 24);
    expect(durations).toHaveLength(31);
    expect(new Set(durations.slice(0, 30))).toEqual(new Set([2]));
    expect(durations[30]).toBeCloseTo(10 / 24, 9);
  });
  test('has no short last segment if the segments divide the video', () => {
    expect(segmentDurations(100, 25)).toEqual([2, 2]);
  });
  test('sums up to the duration of the video', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 20, max: 120 }),
        (frames, halves) => {
          const rate = halves / 2;
          const sum = segmentDurations(frames, rate).reduce((total, duration) => total + duration, 0);
          expect(sum).toBeCloseTo(frames / rate, 6);
        },
      ),
    );
  });
});

describe('rates', () => {
  test('a rung within 5% keeps its nominal rate, another gets its measured rate', () => {
    expect(honestBitrate(kbps(300), kbps(314))).toBe(300);
    expect(honestBitrate(kbps(300), kbps(286))).toBe(300);
    expect(honestBitrate(kbps(300), kbps(319.6))).toBe(320);
    expect(honestBitrate(kbps(300), kbps(0.2))).toBe(1);
  });
  test('a rung that overshot by a quarter is encoded again at a lower target', () => {
    expect(correctedAsk(kbps(1000), kbps(900), kbps(1250))).toBe(720);
    expect(correctedAsk(kbps(1000), kbps(1000), kbps(800))).toBe(1250);
  });
  test('a rung that is good, or that no target would fill, is not encoded again', () => {
    expect(correctedAsk(kbps(1000), kbps(1000), kbps(1049))).toBeUndefined();
    expect(correctedAsk(kbps(3300), kbps(3300), kbps(400))).toBeUndefined();
  });
});
