import { interval, LEAST_FOR_INTERVAL } from '../../ground/statistics/bootstrap.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import type { StackResult } from './play-stack.ts';
import type { SessionResult } from './session-result.ts';
import type { HourResult } from './run-files.ts';
import { METRICS, stacksOf, TABLE_5_1, type Stack, type TableMetric, type TableRow } from './sites.ts';

/** An hour is congested from this utilization of the link on (§5.3.5). */
export const CONGESTED = 0.98;
/** Of the thesis's p = 0.01, what an interval leaves out at each end. */
const TAIL = 0.005;

export type Played = Stack & StackResult;

/** A mean as its sum and what it is of, so that hours can be added up. */
interface Share {
  readonly sum: number;
  readonly of: number;
}

const over = (
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
  sum: over(sessions, (each) => Number(each[part])).sum,
  of: over(sessions, (each) => Number(each[whole])).sum,
});

/** The metrics of Table 5.1 (§5.3.5), of sessions. Least round trips and retransmissions are of all, the others of those that began to play. */
export const MEASURES: Readonly<Record<TableMetric, (sessions: readonly SessionResult[]) => Share>> = {
  rebuffers: (all) =>
    over(all, (each) => (each.play_delay_ms === null ? null : Number(each.rebuffer_count > 0))),
  low_quality: (all) => ratio(all, 'low_s', 'fetched_s'),
  play_delay: (all) => over(all, ({ play_delay_ms }) => play_delay_ms),
  min_rtt: (all) => over(all, ({ min_rtt_ms }) => min_rtt_ms),
  retransmits: (all) => ratio(all, 'retransmitted_packets', 'sent_packets'),
};

/** The mean of what several hours had; NaN of none. */
export const meanOf = (shares: readonly Share[]): number =>
  shares.reduce((total, { sum }) => total + sum, 0) / shares.reduce((total, { of }) => total + of, 0);

/** Of a metric, mean of the hours, and the change from B to A, %, with its interval; null of too few hours. */
export interface Change {
  readonly a: number;
  readonly b: number;
  readonly change_pct: number;
  readonly interval_pct: readonly [low: number, high: number] | null;
}

/** Stacks A and B in one hour. */
type Pair = readonly [a: Played, b: Played];

export function changeOf(metric: TableMetric, pairs: readonly Pair[], seed = 1): Change {
  const shares = pairs.map((pair) => pair.map(({ sessions }) => MEASURES[metric](sessions)));
  const side = (of: typeof shares, index: 0 | 1): number => meanOf(of.flatMap((each) => each[index] ?? []));
  const change = (of: typeof shares): number => 100 * (side(of, 0) / side(of, 1) - 1);
  const random = seededRandom(seed);
  const drawn = () => shares.map((own) => shares[Math.floor(random() * shares.length)] ?? own);
  return {
    ...{ a: side(shares, 0), b: side(shares, 1), change_pct: change(shares) },
    interval_pct: shares.length < LEAST_FOR_INTERVAL ? null : interval(() => change(drawn()), TAIL),
  };
}

export const stackOf = ({ stacks }: HourResult, name: Stack['name'], buffer_mb: number): Played | undefined =>
  stacks.find((each) => each.name === name && each.buffer_mb === buffer_mb);

/** The hours in which both stacks were congested. */
export const congestedPairs = (hours: readonly HourResult[], a_mb: number, b_mb: number): Pair[] =>
  hours.flatMap((hour) => {
    const [a, b] = [stackOf(hour, 'A', a_mb), stackOf(hour, 'B', b_mb)];
    return a && b && a.utilization >= CONGESTED && b.utilization >= CONGESTED ? [[a, b] as const] : [];
  });

/** A row of the table as measured. */
export interface MeasuredRow extends Pick<TableRow, 'site' | 'a_mb' | 'b_mb'> {
  /** Missing in an A/A row. */
  readonly paper_pct?: TableRow['paper_pct'];
  readonly arm: string;
  readonly hours: number;
  readonly sessions: readonly [a: number, b: number];
  readonly changes: Readonly<Record<TableMetric, Change>>;
}

/** The A/A rows of the sites, then the rows of Table 5.1, of what there is. */
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
        changes: changesOf(pairs),
      },
    ];
  });
}

/** What another arm changes on a stack with the same sessions, in hours that were congested with the first. */
export interface ArmRow extends Pick<MeasuredRow, 'site' | 'hours' | 'changes'>, Stack {
  /** Of those hours, how many stay congested. */
  readonly stillCongested: number;
}

export function armRows(first: readonly HourResult[], other: readonly HourResult[]): ArmRow[] {
  const sites = [...new Set(other.map(({ site }) => site))];
  return sites.flatMap((site) =>
    stacksOf(site).flatMap(({ name, buffer_mb }) => {
      const pairs = first.flatMap((hour): Pair[] => {
        const same = other.find((each) => each.site === site && each.hour === hour.hour);
        const before = hour.site === site ? stackOf(hour, name, buffer_mb) : undefined;
        const after = same && stackOf(same, name, buffer_mb);
        return before && after && before.utilization >= CONGESTED ? [[after, before]] : [];
      });
      if (pairs.length === 0) return [];
      return [
        {
          ...{ site, name, buffer_mb, hours: pairs.length },
          stillCongested: pairs.filter(([after]) => after.utilization >= CONGESTED).length,
          changes: changesOf(pairs),
        },
      ];
    }),
  );
}

const changesOf = (pairs: readonly Pair[]): MeasuredRow['changes'] =>
  Object.fromEntries(METRICS.map((metric) => [metric, changeOf(metric, pairs)])) as MeasuredRow['changes'];

/** What the queue has added to a session's least round trip, ms. */
export const addedMs = ({ min_rtt_ms, rtt_ms }: SessionResult): number | null =>
  min_rtt_ms === null ? null : min_rtt_ms - rtt_ms;

/** A number with its interval over hours, drawn with replacement. */
export type Spread = readonly [value: number, low: number, high: number];

/** A statistic of hours with its interval; undefined where it is not a number. */
export function spreadOver<Hour>(
  hours: readonly Hour[],
  statistic: (of: readonly Hour[]) => number,
  seed = 1,
): Spread | undefined {
  const random = seededRandom(seed);
  const value = statistic(hours);
  const drawn = () => hours.map((own) => hours[Math.floor(random() * hours.length)] ?? own);
  const ends = hours.length < LEAST_FOR_INTERVAL ? null : interval(() => statistic(drawn()), TAIL);
  return ends && Number.isFinite(value)
    ? [value, Math.min(value, ends[0]), Math.max(value, ends[1])]
    : undefined;
}
