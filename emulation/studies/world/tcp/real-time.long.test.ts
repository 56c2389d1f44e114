import { describe, expect, it } from 'vitest';
import { WORLD } from '../demand.ts';
import type { LinkRun } from '../link-run.ts';
import { runLink } from '../run-link.ts';
import { readHours } from './read-hours.ts';
import { HOUR_S, playedHours, plannedSessions, TCP_WORLD, WHOLE_DAY } from './real-time.ts';

const run: LinkRun = {
  ...{ world: TCP_WORLD, link: 'north', days: 1, seed: 3 },
  ...{ treatment: 'sammy', design: 'ab' },
};
const evening = playedHours(1, { from: 20, to: 22 });

describe('the world in real time', () => {
  it('has as many active sessions per capacity as in virtual time', () => {
    expect(TCP_WORLD).toMatchObject({ capacity_kbps: 30_000, segment_s: 2, buffer_s: 10 });
    // By Little's law, in virtual time 90 sessions begin in 3600 s, last 840 s each, and share 60 Mbit/s. In real time,
    // sessions last a 60th, 14 s, an hour takes 20 s, and the link has 30 Mbit/s.
    const underWay = ((90 / 3600) * 840) / 60_000;
    expect(((TCP_WORLD.sessionsPerHour / HOUR_S) * 14) / 30_000).toBeCloseTo(underWay, 12);
    expect(TCP_WORLD.bitrates_kbps).toEqual(WORLD.bitrates_kbps);
  });

  it('plays the hours of each day, after an hour that fills the link', () => {
    const named = playedHours(2, { from: 20, to: 22 }).map(
      ({ hour, counts }) => `${hour}${counts ? '' : '*'}`,
    );
    expect(named).toEqual(['19*', '20', '21', '43*', '44', '45']);
    // No additional hour is needed before a day that follows immediately.
    const whole = playedHours(2, WHOLE_DAY);
    expect(whole.map(({ hour }) => hour)).toEqual(Array.from({ length: 49 }, (_, index) => index - 1));
    expect(whole.filter(({ counts }) => !counts)).toEqual([{ hour: -1, counts: false }]);
  });

  it('has the same sessions as in virtual time, with the same accounts, times on the clock, and arms', () => {
    const inVirtualTime = runLink(run).map(({ metrics: _, ...row }) => row);
    const planned = plannedSessions(run, playedHours(1, WHOLE_DAY));
    expect(planned.filter(({ counts }) => counts).map(({ row }) => row)).toEqual(inVirtualTime);
    expect(new Set(planned.map(({ row }) => row.arm))).toEqual(new Set(['control', 'treatment']));
  });

  it('has the days before an experiment, too', () => {
    const baseline = { ...run, design: 'baseline' } as const;
    const inVirtualTime = runLink(baseline).map(({ metrics: _, ...row }) => row);
    const planned = plannedSessions(baseline, playedHours(1, WHOLE_DAY));
    expect(planned.filter(({ counts }) => counts).map(({ row }) => row)).toEqual(inVirtualTime);
    expect(planned.find(({ counts }) => counts)?.row.started_at.slice(0, 10)).toBe('2026-03-01');
  });

  it('plays hours one after the other, and ends all sessions with the last', () => {
    const planned = plannedSessions(run, evening);
    expect(planned.length).toBeGreaterThan(20);
    for (const { at_s, seconds, row, counts } of planned) {
      const minutes = (Date.parse(row.started_at) - Date.UTC(2026, 2, 2, 19)) / 60_000;
      // An hour takes 20 s, so three minutes take one second.
      expect(at_s).toBeCloseTo(minutes / 3, 2);
      expect(counts).toBe(minutes >= 60);
      expect(seconds).toBeLessThanOrEqual(Math.min(60, 3 * HOUR_S - at_s));
    }
  });
});

it('reads hours, and refuses invalid ones in one line', () => {
  expect(readHours('18-24')).toEqual({ from: 18, to: 24 });
  for (const text of ['18', '22-18', '5-5', '20-25', '-1-3', 'a-b'])
    expect(() => readHours(text)).toThrow(/^--hours is '.*', expected two hours of a day, such as 18-23/);
});
