import { describe, expect, it } from 'vitest';
import { bytes, kbps, seconds } from '../units.ts';
import { isWorthwhile, wantedRates, type Rates } from './change.ts';

const asked = { pace: kbps(10_000), floor: kbps(3700) };
const rest = { left: bytes(1_650_000), playable: seconds(20), top: kbps(3300), playbackRate: 1 };

describe('wantedRates', () => {
  it('keeps the requested rates while the segment arrives in time', () => {
    // 13.2 Mbit in 0.8 of 20 s, at a goodput of 0.9, need 917 kbit/s.
    expect(wantedRates(asked, rest)).toEqual(asked);
  });

  it('raises the floor, and then the pace, as the buffer falls', () => {
    // 13.2 Mbit in 0.8 of 3 s, at a goodput of 0.9, need 6.11 Mbit/s, rounded up to a multiple of 100 kbit/s.
    expect(wantedRates(asked, { ...rest, playable: seconds(3) })).toEqual({ pace: 10_000, floor: 6200 });
    // With 1.75 s, 10.48 Mbit/s are needed, just below 3.2 times the top bitrate, 10.56.
    expect(wantedRates(asked, { ...rest, playable: seconds(1.75) })).toEqual({ pace: 10_500, floor: 10_500 });
  });

  it('requests no pace if no pace is fast enough, or hardly anything is left to play', () => {
    expect(wantedRates(asked, { ...rest, playable: seconds(1.5) }).pace).toBeNull();
    expect(wantedRates(asked, { ...rest, left: bytes(1000), playable: seconds(0.4) }).pace).toBeNull();
  });
});

it.each<[Rates, Rates, boolean]>([
  [asked, asked, false],
  [asked, { pace: kbps(11_000), floor: kbps(4000) }, false],
  [asked, { pace: kbps(10_000), floor: kbps(6200) }, true],
  [asked, { pace: null, floor: kbps(3700) }, true],
  [{ pace: null, floor: kbps(3700) }, { pace: null, floor: kbps(9000) }, false],
  [{ pace: null, floor: kbps(3700) }, asked, true],
])('from %j to %j is worth a request: %s', (from, to, worthwhile) => {
  expect(isWorthwhile(from, to)).toBe(worthwhile);
});
