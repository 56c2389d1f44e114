import { describe, expect, it } from 'vitest';
import { StallDetector } from './stalls.ts';
import { milliseconds } from '../units.ts';

const ms = milliseconds;
const playingSince0 = () => {
  const stalls = new StallDetector();
  stalls.playing(ms(0));
  return stalls;
};

describe('StallDetector', () => {
  it('does not count the initial phase as a rebuffer', () => {
    const stalls = new StallDetector();
    stalls.waiting(ms(0));
    expect(stalls.stalledFor(ms(5000))).toBeUndefined();
    expect(stalls.playing(ms(5000))).toBeUndefined();
  });

  it.each([
    [99, undefined],
    [100, 100],
    [5000, 5000],
  ])('counts a wait of %d ms as a rebuffer of %s ms', (length, rebuffer) => {
    const stalls = playingSince0();
    stalls.waiting(ms(1000));
    expect(stalls.stalledFor(ms(1000 + length))).toBe(rebuffer);
    expect(stalls.playing(ms(1000 + length))).toBe(rebuffer);
  });

  it('counts a rebuffer once, from the first of several reports', () => {
    const stalls = playingSince0();
    stalls.waiting(ms(1000));
    stalls.waiting(ms(1900));
    expect(stalls.playing(ms(2000))).toBe(1000);
    expect(stalls.playing(ms(3000))).toBeUndefined();
  });

  it('excludes waits after a seek, and counts again when playback continues', () => {
    const stalls = playingSince0();
    stalls.seeking(ms(1000));
    stalls.waiting(ms(1010));
    expect(stalls.playing(ms(4000))).toBeUndefined();
    stalls.waiting(ms(5000));
    expect(stalls.playing(ms(5500))).toBe(500);
  });

  it('ends a rebuffer at a seek or a pause', () => {
    const sought = playingSince0();
    sought.waiting(ms(1000));
    expect(sought.seeking(ms(4000))).toBe(3000);
    expect(sought.playing(ms(9000))).toBeUndefined();

    const paused = playingSince0();
    paused.waiting(ms(1000));
    expect(paused.paused(ms(4000))).toBe(3000);
    expect(paused.playing(ms(9000))).toBeUndefined();
  });

  it('does not count a pause as a rebuffer', () => {
    const stalls = playingSince0();
    expect(stalls.paused(ms(1000))).toBeUndefined();
    expect(stalls.playing(ms(9000))).toBeUndefined();
  });

  it('reports whether playback has continued since a time', () => {
    const stalls = new StallDetector();
    expect(stalls.playsSince(50)).toBe(false);
    stalls.playing(ms(100));
    expect(stalls.playsSince(50)).toBe(false);
    expect(stalls.playsSince(100)).toBe(true);
    stalls.waiting(ms(500));
    expect(stalls.playsSince(200)).toBe(false);
    stalls.playing(ms(900));
    expect(stalls.playsSince(200)).toBe(false);
    expect(stalls.playsSince(901)).toBe(true);
  });
});
