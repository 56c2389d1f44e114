import { interval, LEAST_FOR_INTERVAL } from '../../ground/statistics/bootstrap.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import type { StackResult } from './play-stack.ts';
import type { SessionResult } from './session-result.ts';
import type { HourResult } from './run-files.ts';
import { METRICS, listStacks, TABLE_5_1, type Stack, type TableMetric, type TableRow } from './sites.ts';

/** The lowest utilization of the link in a congested hour (Neighbor §5.3.5). */
export const CONGESTED = 0.98;
/**
 * The share of the distribution that an interval leaves out at each end. Intervals cover 99%, because the thesis tests
 * at p = 0.01.
 */
const TAIL = 0.005;

export type Played = Stack & StackResult;

/** A mean as a sum and a count, so that hours can be added. */
interface Share {
  readonly sum: number;
  readonly of: number;
}

const meanShare = (
  sessions: readonly SessionResult[],
  value: (session: SessionResult) => number | null,
): Share => {
  const values = sessions.flatMap((session) => value(session) ?? []);
  return { sum: values.reduce((sum, each) => sum + each, 0), of: values.length };
};

const ratio = (
  sessions: readonly SessionResult[],
  part: keyof SessionResult,
  whole: keyof SessionResult,
): Share => ({
  sum: meanShare(sessions, (each) => Number(each[part])).sum,
  of: meanShare(sessions, (each) => Number(each[whole])).sum,
});

/**
 * The metrics of Table 5.1 (§5.3.5) for sessions. Minimum RTTs and retransmissions cover all sessions; the other
 * metrics cover only sessions that began to play.
 */
export const MEASURES: Readonly<Record<TableMetric, (sessions: readonly SessionResult[]) => Share>> = {
  rebuffers: (all) =>
    meanShare(all, (each) => (each.play_delay_ms === null ? null : Number(each.rebuffer_count > 0))),
  low_quality: (all) => ratio(all, 'low_s', 'fetched_s'),
  play_delay: (all) => meanShare(all, ({ play_delay_ms }) => play_delay_ms),
  min_rtt: (all) => meanShare(all, ({ min_rtt_ms }) => min_rtt_ms),
  retransmits: (all) => ratio(all, 'retransmitted_packets', 'sent_packets'),
};

/** The mean over several hours; NaN without hours. */
export const meanOfShares = (shares: readonly Share[]): number =>
  shares.reduce((total, { sum }) => total + sum, 0) / shares.reduce((total, { of }) => total + of, 0);

/**
 * The means of a metric over hours, and the change from B to A, %, with its interval; null if there are too few hours.
 */
export interface Change {
  readonly a: number;
  readonly b: number;
  readonly change_pct: number;
  readonly interval_pct: readonly [low: number, high: number] | null;
}

/** The results of the stacks A and B in one hour. */
type Pair = readonly [a: Played, b: Played];

export function computeChange(metric: TableMetric, pairs: readonly Pair[]): Change {
  const shares = pairs.map((pair) => pair.map(({ sessions }) => MEASURES[metric](sessions)));
  const side = (of: typeof shares, index: 0 | 1): number =>
    meanOfShares(of.flatMap((each) => each[index] ?? []));
  const change = (of: typeof shares): number => 100 * (side(of, 0) / side(of, 1) - 1);
  const random = seededRandom(1);
  const drawn = () => shares.map((own) => shares[Math.floor(random() * shares.length)] ?? own);
  return {
    ...{ a: side(shares, 0), b: side(shares, 1), change_pct: change(shares) },
    interval_pct: shares.length < LEAST_FOR_INTERVAL ? null : interval(() => change(drawn()), TAIL),
  };
}

export const findStack = (
  { stacks }: HourResult,
  name: Stack['name'],
  buffer_mb: number,
): Played | undefined => stacks.find((each) => each.name === name && each.buffer_mb === buffer_mb);

/** The hours in which both stacks were congested. */
export const congestedPairs = (hours: readonly HourResult[], a_mb: number, b_mb: number): Pair[] =>
  hours.flatMap((hour) => {
    const [a, b] = [findStack(hour, 'A', a_mb), findStack(hour, 'B', b_mb)];
    return a && b && a.utilization >= CONGESTED && b.utilization >= CONGESTED ? [[a, b] as const] : [];
  });

export interface MeasuredRow extends Pick<TableRow, 'site' | 'a_mb' | 'b_mb'> {
  /** The thesis's values; absent in an A/A row. */
  readonly paper_pct?: TableRow['paper_pct'];
  readonly arm: string;
  readonly hours: number;
  readonly sessions: readonly [a: number, b: number];
  readonly changes: Readonly<Record<TableMetric, Change>>;
}

/** The rows that have hours: first the sites' A/A rows, then the rows of Table 5.1. */
export function measuredRows(hours: readonly HourResult[], arm: string): MeasuredRow[] {
  const same = [...new Set(TABLE_5_1.map(({ site, b_mb }) => `${site} ${b_mb}`))].flatMap((name) => {
    const row = TABLE_5_1.find(({ site, b_mb }) => `${site} ${b_mb}` === name);
    return row ? [{ site: row.site, a_mb: row.b_mb, b_mb: row.b_mb }] : [];
  });
  return [...same, ...TABLE_5_1].flatMap((row) => {
    const own = hours.filter((hour) => hour.site === row.site && hour.arm === arm);
    const pairs = congestedPairs(own, row.a_mb, row.b_mb);
    if (pairs.length === 0) return [];
    const count = (index: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[index].sessions.length, 0);
    return [
      {
        ...{ site: row.site, a_mb: row.a_mb, b_mb: row.b_mb, arm, hours: pairs.length },
        ...('paper_pct' in row && { paper_pct: row.paper_pct }),
        sessions: [count(0), count(1)] as const,
        changes: computeChanges(pairs),
      },
    ];
  });
}

/**
 * The change from one arm to another, with the same sessions on the same stack, in hours that were congested with the
 * first arm.
 */
export interface ArmRow extends Pick<MeasuredRow, 'site' | 'hours' | 'changes'>, Stack {
  /** The number of hours that are also congested with the second arm. */
  readonly stillCongested: number;
}

export function armRows(first: readonly HourResult[], other: readonly HourResult[]): ArmRow[] {
  const sites = [...new Set(other.map(({ site }) => site))];
  return sites.flatMap((site) =>
    listStacks(site).flatMap(({ name, buffer_mb }) => {
      const pairs = first.flatMap((hour): Pair[] => {
        const same = other.find((each) => each.site === site && each.hour === hour.hour);
        const before = hour.site === site ? findStack(hour, name, buffer_mb) : undefined;
        const after = same && findStack(same, name, buffer_mb);
        return before && after && before.utilization >= CONGESTED ? [[after, before]] : [];
      });
      if (pairs.length === 0) return [];
      return [
        {
          ...{ site, name, buffer_mb, hours: pairs.length },
          stillCongested: pairs.filter(([after]) => after.utilization >= CONGESTED).length,
          changes: computeChanges(pairs),
        },
      ];
    }),
  );
}

const computeChanges = (pairs: readonly Pair[]): MeasuredRow['changes'] =>
  Object.fromEntries(
    METRICS.map((metric) => [metric, computeChange(metric, pairs)]),
  ) as MeasuredRow['changes'];

/** The queueing delay in a session's minimum RTT, ms. */
export const addedMs = ({ min_rtt_ms, rtt_ms }: SessionResult): number | null =>
  min_rtt_ms === null ? null : min_rtt_ms - rtt_ms;

/** A number with its bootstrap interval over hours. */
export type Spread = readonly [value: number, low: number, high: number];

/** Computes a statistic of hours with its interval; undefined if it is not a number. */
export function spreadOver<Hour>(
  hours: readonly Hour[],
  statistic: (of: readonly Hour[]) => number,
): Spread | undefined {
  const random = seededRandom(1);
  const value = statistic(hours);
  const drawn = () => hours.map((own) => hours[Math.floor(random() * hours.length)] ?? own);
  const ends = hours.length < LEAST_FOR_INTERVAL ? null : interval(() => statistic(drawn()), TAIL);
  return ends && Number.isFinite(value)
    ? [value, Math.min(value, ends[0]), Math.max(value, ends[1])]
    : undefined;
}
