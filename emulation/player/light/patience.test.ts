import { describe, expect, it } from 'vitest';
import { leavingTime_s, PATIENCES } from './patience.ts';

const patience = PATIENCES['krishnan-sitaraman'];
const waiting = { started: false, stalled_s: 0, dry_s: Infinity };
const after = (watch_s: number, rank: number, seen: object) =>
  leavingTime_s({ watch_s, patience, rank }, { ...waiting, ...seen });

describe('patience', () => {
  it('leaves at the intended time with endless patience', () => {
    for (const seen of [waiting, { started: true, stalled_s: 50, dry_s: 3 }])
      expect(leavingTime_s({ watch_s: 60, rank: 0 }, seen)).toBe(60);
  });

  it('loses 5.8% of viewers per second of start-up delay beyond 2 s', () => {
    const ranks = Array.from({ length: 1000 }, (_, index) => index / 1000);
    const gone = (seconds: number) => ranks.filter((rank) => after(3600, rank, {}) <= seconds).length / 1000;
    // Nobody leaves in the first 2 s, and 5.8% of viewers in each further second: 1, 3 and 8 times 5.8%.
    for (const [after_s, share] of [
      [1.9, 0],
      [3, 0.058],
      [5, 0.174],
      [10, 0.464],
    ] as const)
      expect(gone(after_s)).toBeCloseTo(share, 2);
    // A viewer who intended to leave earlier does so.
    expect(after(3, 0.9, {})).toBe(3);
  });

  it('plays 5% less for stalls of 1% of the time', () => {
    // A stall of 10 s is 1% of 1000 s and costs 5%, so 950 s of playback remain. With the stall, they end at 960 s.
    expect(after(1000, 0, { started: true, stalled_s: 10 })).toBe(960);
    expect(after(1000, 0, { started: true, stalled_s: 0, dry_s: 1200 })).toBe(1000);
  });

  it('leaves during a stall that uses up the remaining time', () => {
    // The stall begins at 100 s, 40 s before the end. A stall of 8 s uses them up: 8 s, and another 4 x 8 s given up.
    expect(after(140, 0, { started: true, dry_s: 100 })).toBe(108);
    // Earlier stalls have already moved the end to 140 - 4 x 5 s = 120 s.
    expect(after(140, 0, { started: true, stalled_s: 5, dry_s: 120 })).toBe(120);
  });
});
