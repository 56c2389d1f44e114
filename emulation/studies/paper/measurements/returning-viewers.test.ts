import { describe, expect, it } from 'vitest';
import { InitialThroughputHistory, sessionsAt } from '../../../../src/learning/history.ts';
import { kbps, milliseconds } from '../../../../src/units.ts';
import { seededRandom } from '../../../ground/statistics/random.ts';
import { TODAY_MS } from '../../../player/model/simulated-session.ts';
import { DAY_MS } from '../../world/arrivals.ts';
import { computeValues } from './returning-viewers.ts';
import { drawVisits, playBothArms, playVisit, type PlayVisit, type Visit } from './visits.ts';

const visitOn = (day: number, mbps = 10): Visit => ({ at_ms: day * DAY_MS, mbps, firstSegment: 0 });

describe('drawVisits', () => {
  it('draws a log-normal network, and visits with exponential gaps', () => {
    // Numbers of 0.5 give the medians: 10 Mbit/s, and a visit every 2 days. The median gap is ln 2 times 2 days, and
    // the next one begins after the visit of 24 s.
    const visits = drawVisits(() => 0.5);
    const gap_ms = 2 * Math.LN2 * DAY_MS;
    expect(visits[0]?.at_ms).toBeCloseTo(-14 * DAY_MS + gap_ms, 3);
    expect(visits[1]?.at_ms).toBeCloseTo(-14 * DAY_MS + 2 * gap_ms + 24_000, 3);
    // 28 days have 20 such gaps.
    expect(visits).toHaveLength(20);
    for (const { mbps, firstSegment } of visits) {
      expect(mbps).toBeCloseTo(10, 9);
      expect(firstSegment).toBe(15);
    }
  });

  it('draws viewers who come several times a day, and viewers who come less than once a week', () => {
    const random = seededRandom(1);
    const counts = Array.from({ length: 200 }, () => drawVisits(random).length);
    expect(counts.filter((count) => count > 2 * 28).length).toBeGreaterThan(10);
    expect(counts.filter((count) => count < 4).length).toBeGreaterThan(10);
  });
});

describe('playBothArms', () => {
  /** Plays nothing, and returns the number of throughputs in the history as quality. */
  const countHistory: PlayVisit = ({ at_ms, mbps }, storage) => {
    const now = milliseconds(TODAY_MS + at_ms);
    const known = sessionsAt(storage, now, '');
    new InitialThroughputHistory(storage).add(kbps(1000 * mbps), now, '');
    return { initial_ssim_db: known.length, initial_bitrate_kbps: known.at(-1) ?? null };
  };

  it('plays the same visits in both arms, and only control remembers those before the experiment', () => {
    const visits = [visitOn(-3, 5), visitOn(-1, 6), visitOn(0, 7), visitOn(2, 8)];
    expect(playBothArms(visits, 'aging', countHistory)).toEqual([
      {
        at_ms: 0,
        control: { initial_ssim_db: 2, initial_bitrate_kbps: 6000 },
        treatment: { initial_ssim_db: 0, initial_bitrate_kbps: null },
      },
      {
        at_ms: 2 * DAY_MS,
        control: { initial_ssim_db: 3, initial_bitrate_kbps: 7000 },
        treatment: { initial_ssim_db: 1, initial_bitrate_kbps: 7000 },
      },
    ]);
  });

  it.each([
    ['aging', 0.5],
    ['ageless', 1],
  ] as const)('with %s throughputs, trusts one of 25 hours before by %d', (aging, trust) => {
    const trusts: (number | undefined)[] = [];
    const noteTrust: PlayVisit = (visit, storage) => {
      const now = milliseconds(TODAY_MS + visit.at_ms);
      trusts.push(new InitialThroughputHistory(storage).estimate(now, '')?.trust);
      return countHistory(visit, storage);
    };
    playBothArms([visitOn(0), visitOn(25 / 24)], aging, noteTrust);
    expect(trusts).toEqual([undefined, undefined, trust, trust]);
  });

  it('plays the same in both arms while neither has a history', () => {
    const [first] = playBothArms([visitOn(0)], 'aging', playVisit);
    expect(first?.control.initial_bitrate_kbps).toBeGreaterThan(300);
    expect(first?.treatment).toEqual(first?.control);
  });
});

describe('computeValues', () => {
  it('compares the arms by day and in the second week, without visits that showed nothing in one of them', () => {
    const quality = (initial_ssim_db: number | null) => ({
      initial_ssim_db,
      initial_bitrate_kbps: initial_ssim_db === null ? null : 100 * initial_ssim_db,
    });
    const pair = (day: number, treatment: number | null, control: number | null) => ({
      ...{ at_ms: (day - 0.5) * DAY_MS, treatment: quality(treatment), control: quality(control) },
    });
    const values = computeValues(
      [pair(1, 10, 14), pair(1, 12, 12), pair(1, null, 20), pair(8, 15, 16), pair(14, 17, 16)],
      ', x',
    );
    expect(values['treatment, day 1, x']).toEqual({ initial_ssim_db: 11, initial_bitrate_kbps: 1100 });
    expect(values['control, day 1, x']).toEqual({ initial_ssim_db: 13, initial_bitrate_kbps: 1300 });
    expect(values['treatment less control, day 1, x']).toEqual({ initial_ssim_db: -2 });
    expect(values['treatment less control, day 2, x']).toEqual({ initial_ssim_db: null });
    expect(values['treatment less control, week 2, x']).toEqual({ initial_ssim_db: 0 });
  });
});
