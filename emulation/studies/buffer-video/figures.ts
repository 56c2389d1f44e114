import { median, leastSquaresSlope, mean } from '../../ground/statistics/bootstrap.ts';
import type { SessionResult } from './session-result.ts';
import type { HourResult } from './run-files.ts';
import type { SiteName } from './sites.ts';
import {
  addedMs,
  CONGESTED,
  MEASURES,
  meanOfShares,
  spreadOver,
  findStack,
  type Played,
  type Spread,
} from './table.ts';

/**
 * The numbers of Figures 5.3 to 5.8 that are compared with the thesis, by name; undefined if there are too few hours.
 */
export type FigureNumbers = Readonly<Record<FigureName, Spread | undefined>>;
type FigureName =
  | 'added to the least round trip, 500 MB, site 2 (ms)'
  | 'added to the least round trip, 500 MB, site 1 (ms)'
  | 'the same, 50 MB less 500 (ms)'
  | '2nd percentile of the wait in the offload queue, 50 MB less 500 (ms)'
  | 'slope of retransmissions by load, 500 MB (points)'
  | 'slope of retransmissions by load, 50 MB less 500 (points)'
  | 'sessions with rebuffers at equal retransmissions, 50 MB less 500 (points)'
  | 'most less least of 18 queues, most loaded hours less least (ms)'
  | 'added to the least round trip, catalog less offload (ms)';

const SMALL_MB = 50;
const LARGE_MB = 500;

/** The median, over an hour's sessions, of the queueing delay in a session's minimum RTT; NaN without sessions. */
const medianAdded_ms = (
  { sessions }: Played,
  which: (session: SessionResult) => boolean = () => true,
): number => median(sessions.filter(which).flatMap((each) => addedMs(each) ?? []));

/** The mean of a value over congested hours, with its bootstrap interval over hours. */
function meanSpread(
  hours: readonly HourResult[],
  getValue: (hour: HourResult) => number | undefined,
): Spread | undefined {
  const values = hours.map(getValue).filter((value) => value !== undefined && Number.isFinite(value));
  return spreadOver(values as readonly number[], mean);
}

/** Computes the numbers from the hours of one arm. */
export function figureNumbers(hours: readonly HourResult[]): FigureNumbers {
  const of = (site: SiteName) => hours.filter((hour) => hour.site === site);
  const [one, two] = [of('site-1'), of('site-2')];
  const small = (hour: HourResult) => findStack(hour, 'A', SMALL_MB);
  const large = (hour: HourResult) => findStack(hour, 'B', LARGE_MB);
  const inCongested = (value: (stack: Played) => number) => (hour: HourResult) => {
    const stack = large(hour);
    return stack && stack.utilization >= CONGESTED ? value(stack) : undefined;
  };
  /**
   * The value with the small buffer minus the value with the large one, in hours in which the stack with the large
   * buffer is congested.
   */
  const less = (value: (stack: Played) => number) => (hour: HourResult) => {
    const stack = small(hour);
    const other = inCongested(value)(hour);
    return stack && other !== undefined ? value(stack) - other : undefined;
  };
  const points = (all: readonly HourResult[], pick: (hour: HourResult) => Played | undefined) =>
    all.map((hour): HourPoint => {
      const stack = pick(hour);
      return {
        load: hour.load,
        retransmits: stack ? percent('retransmits', stack.sessions) : NaN,
        rebuffers: stack ? percent('rebuffers', stack.sessions) : NaN,
      };
    });
  const pairs = points(one, small).map(
    (point, index) => [point, points(one, large)[index] ?? point] as const,
  );
  const slope = (all: readonly HourPoint[]): number =>
    leastSquaresSlope(all.map(({ load, retransmits }) => [load, retransmits] as const));
  const unlike = two.flatMap((hour) => {
    const stack = large(hour);
    return stack ? [[hour.load, medianRange_ms(stack)] as const] : [];
  });
  const range = Math.max(...unlike.map(([load]) => load)) - Math.min(...unlike.map(([load]) => load));
  return {
    'added to the least round trip, 500 MB, site 2 (ms)': meanSpread(two, inCongested(medianAdded_ms)),
    'added to the least round trip, 500 MB, site 1 (ms)': meanSpread(one, inCongested(medianAdded_ms)),
    'the same, 50 MB less 500 (ms)': meanSpread(one, less(medianAdded_ms)),
    '2nd percentile of the wait in the offload queue, 50 MB less 500 (ms)': meanSpread(
      one,
      less(({ queues }) => queues[0]?.wait_p2_ms ?? NaN),
    ),
    'slope of retransmissions by load, 500 MB (points)': spreadOver(pairs, (all) =>
      slope(all.map(([, second]) => second)),
    ),
    'slope of retransmissions by load, 50 MB less 500 (points)': spreadOver(
      pairs,
      (all) => slope(all.map(([first]) => first)) - slope(all.map(([, second]) => second)),
    ),
    'sessions with rebuffers at equal retransmissions, 50 MB less 500 (points)': spreadOver(pairs, (all) =>
      heightDifference(
        all.map(([first]) => toPoint(first)),
        all.map(([, second]) => toPoint(second)),
      ),
    ),
    'most less least of 18 queues, most loaded hours less least (ms)': spreadOver(
      unlike,
      (all) => range * leastSquaresSlope(all),
    ),
    'added to the least round trip, catalog less offload (ms)': meanSpread(
      one,
      inCongested(
        (stack) =>
          medianAdded_ms(stack, ({ server }) => server === 'catalog') -
          medianAdded_ms(stack, ({ server }) => server === 'offload'),
      ),
    ),
  };
}

/** A stack's load in an hour, and its retransmissions and rebuffers in %. */
interface HourPoint {
  readonly load: number;
  readonly retransmits: number;
  readonly rebuffers: number;
}

export const percent = (metric: 'retransmits' | 'rebuffers', sessions: readonly SessionResult[]): number =>
  100 * meanOfShares([MEASURES[metric](sessions)]);

type Point = readonly [retransmits: number, rebuffers: number];

const toPoint = ({ retransmits, rebuffers }: HourPoint): Point => [retransmits, rebuffers];

/** How far the first points lie above the other points, if lines of the same slope are fitted to the two sets. */
function heightDifference(first: readonly Point[], others: readonly Point[]): number {
  const centers = [first, others].map(
    (points) => [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))] as const,
  );
  const slope = leastSquaresSlope(
    [first, others].flatMap((points, index) => {
      const [x0, y0] = centers[index] ?? [0, 0];
      return points.map(([x, y]) => [x - x0, y - y0] as const);
    }),
  );
  const [[x1, y1] = [NaN, NaN], [x2, y2] = [NaN, NaN]] = centers;
  return y1 - y2 - slope * (x1 - x2);
}

/** The difference between the highest and the lowest median, by queue, of the delay in the sessions' minimum RTTs, ms. */
function medianRange_ms({ sessions, queues }: Played): number {
  const medians = queues
    .map((_, queue) =>
      median(sessions.flatMap((each) => (each.queue === queue ? (addedMs(each) ?? []) : []))),
    )
    .filter((value) => Number.isFinite(value));
  return Math.max(...medians) - Math.min(...medians);
}
