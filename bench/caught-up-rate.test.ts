import { expect, it } from 'vitest';
import { CaughtUpRate } from './caught-up-rate.ts';

/**
 * Simulates a client in a measurement from 4 to 8 s. It receives `bytesPerSecond` and reads every 10 ms unless it is
 * held up.
 */
function measureRatio(bytesPerSecond: number, isHeldUp: (time_s: number) => boolean): number {
  const rate = new CaughtUpRate(1000, 4, 6);
  for (let n = 0; n <= 800; n++) if (!isHeldUp(n / 100)) rate.note(n / 100, (bytesPerSecond * n) / 100);
  return rate.ratio;
}

it.each([700, 1000, 1300])('measures %d bytes/s no matter how the client is held up', (bytesPerSecond) => {
  expect(measureRatio(bytesPerSecond, () => false)).toBeCloseTo(bytesPerSecond / 1000, 10);
  expect(measureRatio(bytesPerSecond, (time) => time < 5.5)).toBeCloseTo(bytesPerSecond / 1000, 10);
  expect(measureRatio(bytesPerSecond, (time) => time > 6.2)).toBeCloseTo(bytesPerSecond / 1000, 10);
});

it('does not rise if a client reads late data piece by piece', () => {
  const rate = new CaughtUpRate(1000, 4, 6);
  // The 5,000 bytes of 5 s are read in ten pieces within 10 ms. Between the first piece (500 bytes) and the end (8,000
  // bytes at 8 s), the rate would be 2,500 bytes/s.
  for (let piece = 1; piece <= 10; piece++) rate.note(5 + piece / 1000, 500 * piece);
  for (let n = 502; n <= 800; n++) rate.note(n / 100, 10 * n);
  expect(rate.ratio).toBeGreaterThan(0.99);
  expect(rate.ratio).toBeLessThan(1.01);
});

it('is 0 for a client that stops receiving', () => {
  expect(measureRatio(1000, (time) => time > 5)).toBe(0);
});
