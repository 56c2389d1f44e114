import { describe, expect, it } from 'vitest';
import { ProcessPool } from '../../../system/processes/process-pool.ts';
import { arrivals, HOUR_MS } from './arrivals.ts';
import { WORLD, type World } from './demand.ts';
import { linkExperiment, type LinkRun } from './link-run.ts';
import { runLink } from './run-link.ts';
import { linkWork } from './ran-links.ts';
import { METRICS, type SessionRow } from './session-row.ts';
import { computeTruth } from './results/truth.ts';
import { watchTime } from './watch-times.ts';

/** The world with a tenth of its capacity and sessions, and with shorter sessions. */
const SMALL: World = { ...WORLD, capacity_kbps: 6000, sessionsPerHour: 9, accounts: 400, longest_s: 300 };
const run = (given: Partial<LinkRun> = {}): LinkRun => ({
  world: SMALL,
  link: 'north',
  days: 1,
  seed: 3,
  treatment: 'sammy',
  design: 'ab',
  ...given,
});
const outcomes = (rows: readonly SessionRow[]) =>
  rows.map(({ session_id, started_at, metrics }) => ({ session_id, started_at, metrics }));

describe('the world', () => {
  it('is the same for a seed, in one process or two, and differs for another seed', async () => {
    const runs = [run(), run({ link: 'south' })];
    const alone = runs.map(runLink);
    const pool = new ProcessPool(linkWork, undefined, 2);
    try {
      expect(await Promise.all(runs.map((each) => pool.ask(each)))).toEqual(alone);
    } finally {
      pool.close();
    }
    expect(outcomes(runLink(run({ seed: 4 })))).not.toEqual(outcomes(alone[0] ?? []));
    // The time limit allows for the start of two processes with tsx, which takes long on a busy machine.
  }, 90_000);

  it('has no effect if the treatment is the control: all sessions are identical', () => {
    const half = runLink(run({ treatment: 'none' }));
    const none = runLink(run({ treatment: 'none', design: 'aa' }));
    expect(new Set(half.map(({ arm }) => arm))).toEqual(new Set(['control', 'treatment']));
    expect(outcomes(half)).toEqual(outcomes(none));
    const truth = computeTruth(half, none);
    expect(truth.chunk_throughput_kbps).toEqual({ tte_pct: 0, by_session_pct: 0 });
  });

  it('has each session once, in one arm, and each unit in one arm while the allocation is constant', () => {
    const rows = runLink(run());
    expect(new Set(rows.map(({ session_id }) => session_id)).size).toBe(rows.length);
    const armOf = new Map(rows.map(({ unit, arm }) => [unit, arm]));
    expect(rows.filter(({ unit, arm }) => armOf.get(unit) !== arm)).toEqual([]);
    // Every session that began on the day has a row.
    expect(rows).toHaveLength(arrivals(SMALL, 0, 1, 3).filter(({ at_ms }) => at_ms >= 0).length);
  });

  it('computes the truth by treating everybody or nobody, at the same demand', () => {
    const [all, none] = [runLink(run({ design: 'all treated' })), runLink(run({ design: 'none treated' }))];
    expect(new Set(all.map(({ arm }) => arm))).toEqual(new Set(['treatment']));
    expect(new Set(none.map(({ arm }) => arm))).toEqual(new Set(['control']));
    expect(all.map(({ session_id }) => session_id)).toEqual(none.map(({ session_id }) => session_id));
  });

  it('has days before the experiment with sessions of their own, in which nobody is treated', () => {
    const before = runLink(run({ design: 'baseline', days: 2 }));
    expect(new Set(before.map(({ arm, allocation }) => `${arm} ${allocation}`))).toEqual(
      new Set(['control 0']),
    );
    // The baseline is on the two days before the experiment, which begins on Monday, 2 March.
    expect(new Set(before.map(({ started_at }) => started_at.slice(0, 10)))).toEqual(
      new Set(['2026-02-28', '2026-03-01']),
    );
    const own = runLink(run());
    const ids = new Set(before.map(({ session_id }) => session_id));
    expect(ids.size).toBe(before.length);
    expect(own.filter(({ session_id }) => ids.has(session_id))).toEqual([]);
    // The accounts and their access lines are the same, but the arrivals differ.
    const [earlier, later] = [arrivals(SMALL, 0, 2, 3, -2), arrivals(SMALL, 0, 1, 3)];
    const lineOf = new Map(later.map(({ account, access_kbps }) => [account, access_kbps]));
    const known = earlier.filter(({ account }) => lineOf.has(account));
    expect(known.length).toBeGreaterThan(50);
    expect(known.filter(({ account, access_kbps }) => lineOf.get(account) !== access_kbps)).toEqual([]);
    expect(earlier.slice(0, 5).map(({ at_ms }) => at_ms)).not.toEqual(
      later.slice(0, 5).map(({ at_ms }) => at_ms),
    );
  });

  it('respects the bitrate limit, the access line and the link', () => {
    const capped = runLink(run({ treatment: 'cap', design: 'all treated' }));
    expect(Math.max(...capped.map(({ metrics }) => metrics.mean_bitrate_kbps ?? 0))).toBeLessThanOrEqual(
      2300,
    );
    const rows = runLink(run({ design: 'aa' }));
    expect(METRICS.every((name) => rows.some(({ metrics }) => metrics[name] !== null))).toBe(true);
    for (const { metrics } of rows) {
      expect(metrics.chunk_throughput_kbps ?? 0).toBeLessThanOrEqual(6000);
      // The idle path takes 10 to 40 ms, and the queue at most 100 ms.
      expect(metrics.min_rtt_ms ?? 10).toBeGreaterThanOrEqual(10);
      expect(metrics.min_rtt_ms ?? 10).toBeLessThan(140);
    }
  });

  it('lets impatient viewers leave, if requested', () => {
    // A player's initial download, 6 s at 700 kbit/s, takes 14 s on an otherwise idle link.
    const crowded: World = { ...SMALL, capacity_kbps: 300 };
    const delays = (rows: readonly SessionRow[]) => rows.map(({ metrics }) => metrics.play_delay_ms);
    const played_s = (rows: readonly SessionRow[]) =>
      rows.reduce((sum, { metrics }) => sum + (metrics.played_s ?? 0), 0);
    const [endless, human] = [crowded, { ...crowded, patience: 'krishnan-sitaraman' } as const].map((world) =>
      runLink(run({ world, design: 'aa' })),
    );
    if (!endless || !human) throw new Error('no rows');
    expect(human.map(({ session_id }) => session_id)).toEqual(endless.map(({ session_id }) => session_id));
    // The least patient viewers leave after 2 s, the most patient ones after another 1 / 5.8% seconds.
    const longest_ms = 1000 * (2 + 1 / 0.058);
    expect(Math.max(...delays(endless).map((delay) => delay ?? 0))).toBeGreaterThan(longest_ms);
    expect(delays(human).some((delay) => delay !== null)).toBe(true);
    expect(Math.max(...delays(human).map((delay) => delay ?? 0))).toBeLessThanOrEqual(longest_ms);
    expect(played_s(human)).toBeLessThan(played_s(endless));
  });

  it("configures the plug-in with a treatment's options", () => {
    const { arms } = linkExperiment(run({ treatment: 'cap' }));
    expect(arms).toEqual({
      control: { pacing: false },
      treatment: { pacing: false, max_bitrate_kbps: 2300 },
    });
  });

  it('weights every hour equally in the truth, by hand', () => {
    const nothing = Object.fromEntries(METRICS.map((name) => [name, null])) as SessionRow['metrics'];
    const session = {
      session_id: '',
      unit: '',
      cluster: 'north',
      arm: '',
      allocation: 1,
      window: null,
      washout: false,
    };
    const row = (hour: string, kbps: number): SessionRow => ({
      ...session,
      started_at: `2026-03-02T${hour}:00:00.000Z`,
      metrics: { ...nothing, mean_bitrate_kbps: kbps },
    });
    const control = [row('01', 1000), row('02', 2000), row('02', 3000)];
    const treated = [row('01', 1500), row('02', 2000), row('02', 2000)];
    // By hours: (1500 + 2000) / 2 - (1000 + 2500) / 2 = 0. By sessions: 5500 / 3 - 2000, in % of 2000.
    expect(computeTruth(treated, control).mean_bitrate_kbps).toEqual({ tte_pct: 0, by_session_pct: -8.33 });
    expect(computeTruth(treated, control).min_rtt_ms).toEqual({ tte_pct: null, by_session_pct: null });
  });
});

describe('the demand', () => {
  it('follows its curve', () => {
    const week = arrivals(WORLD, 0, 7, 1).filter(({ at_ms }) => at_ms >= 0);
    const sum = (curve: readonly number[]) => curve.reduce((total, load) => total + load, 0);
    const expected = 90 * (5 * sum(WORLD.load.weekday) + 2 * sum(WORLD.load.weekend));
    // The limit is five standard deviations: of the days' demand, √(5² + 2²) = 5.4%, and of the Poisson count.
    const deviation = Math.hypot(0.054 / Math.sqrt(7), 1 / Math.sqrt(expected));
    expect(Math.abs(week.length / expected - 1)).toBeLessThan(5 * deviation);
  });

  it('has a weekend before a Monday', () => {
    const sunday = arrivals(WORLD, 0, 1, 1, -1).filter(({ at_ms }) => at_ms >= 0);
    const inTheMorning = sunday.filter(({ at_ms }) => at_ms >= 10 * HOUR_MS && at_ms < 14 * HOUR_MS);
    // In these hours, the curves for weekends and weekdays differ most: 2.3 compared with 1.38 hours of full load.
    const weekday = 90 * WORLD.load.weekday.slice(10, 14).reduce((total, load) => total + load, 0);
    expect(inTheMorning.length / weekday).toBeGreaterThan(1.3);
  });

  it('has watch times of the quantiles, interpolated linearly', () => {
    expect([0, 0.5, 1].map(watchTime)).toEqual([0, 117.67, 77732.8]);
    expect(watchTime(0.5125)).toBeCloseTo((117.67 + 141.22) / 2, 9);
  });
});
