import { expect, test } from 'vitest';
import { parseSsim, segmentSsim, ssimDb } from './ssim.ts';

test('parseSsim reads the mean over all planes of each frame', () => {
  const log = [
    'n:1 Y:0.872140 U:0.930878 V:0.974737 All:0.899029 (9.958045)',
    'n:2 Y:1.000000 U:1.000000 V:1.000000 All:1.000000 (inf)',
    '',
  ].join('\n');
  expect(parseSsim(log)).toEqual([0.899029, 1]);
});

test('ssimDb is -10 log10(1 - SSIM), and finite', () => {
  expect(ssimDb(0.9)).toBeCloseTo(10, 9);
  expect(ssimDb(0.99)).toBeCloseTo(20, 9);
  expect(ssimDb(0)).toBeCloseTo(0, 9);
  expect(ssimDb(1)).toBe(60);
  expect(ssimDb(-0.2)).toBe(0);
});

test('segmentSsim averages each segment before it converts to dB', () => {
  // At 25 frames/s, a segment has 50 frames. Numbers 0, 4, ... 48 are measured: 13 frames.
  const frames = [...Array<number>(13).fill(0.9), ...Array<number>(12).fill(0.99), 0.99 - 0.117, 0.999];
  const [first, second, third] = segmentSsim(frames, 25);
  expect(first).toBeCloseTo(10, 9);
  // (12 * 0.99 + 0.873) / 13 = 0.981, and -10 log10(0.019) = 17.21.
  expect(second).toBeCloseTo(17.2125, 3);
  expect(third).toBeCloseTo(30, 6);
  expect(segmentSsim(frames, 25)).toHaveLength(3);
});
