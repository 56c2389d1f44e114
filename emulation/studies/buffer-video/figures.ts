import { mean } from '../../ground/statistics/bootstrap.ts';
import type { SessionResult } from './play-stack.ts';
import type { HourResult } from './run-files.ts';
import type { SiteName, Stack } from './sites.ts';
import {
  addedMs,
  CONGESTED,
  MEASURES,
  medianOf,
  meanOf,
  slopeOf,
  spreadOver,
  stackOf,
  type Played,
  type Spread,
} from './table.ts';

/** What is compared of Figures 5.3 to 5.8, by name; undefined where there are too few hours. */
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

interface LoadedStack extends Played {
  readonly load: number;
}

const stacksIn = (hours: readonly HourResult[], name: Stack['name'], buffer_mb: number): LoadedStack[] =>
  hours.flatMap((hour) => {
    const stack = stackOf(hour, name, buffer_mb);
    return stack ? [{ ...stack, load: hour.load }] : [];
  });

const congested = (stacks: readonly LoadedStack[]): LoadedStack[] =>
  stacks.filter(({ utilization }) => utilization >= CONGESTED);

const addedIn = (
  stacks: readonly Played[],
  which: (session: SessionResult) => boolean = () => true,
): number =>
  medianOf(stacks.flatMap(({ sessions }) => sessions.filter(which).flatMap((each) => addedMs(each) ?? [])));

/** The numbers of one arm's hours. */
export function figureNumbers(hours: readonly HourResult[]): FigureNumbers {
  const of = (site: SiteName) => hours.filter((hour) => hour.site === site);
  const [one, two] = [of('site-1'), of('site-2')];
  const small = (all: readonly HourResult[]) => stacksIn(all, 'A', SMALL_MB);
  const large = (all: readonly HourResult[]) => stacksIn(all, 'B', LARGE_MB);
  const retransmits = (stacks: readonly LoadedStack[]): number =>
    slopeOf(stacks.map(({ load, sessions }) => [load, percent('retransmits', sessions)] as const));
  const p2 = (stacks: readonly LoadedStack[]): number =>
    mean(congested(stacks).flatMap(({ queues }) => queues[0]?.wait_p2_ms ?? []));
  return {
    'added to the least round trip, 500 MB, site 2 (ms)': spreadOver(two, (all) =>
      addedIn(congested(large(all))),
    ),
    'added to the least round trip, 500 MB, site 1 (ms)': spreadOver(one, (all) =>
      addedIn(congested(large(all))),
    ),
    'the same, 50 MB less 500 (ms)': spreadOver(
      one,
      (all) => addedIn(congested(small(all))) - addedIn(congested(large(all))),
    ),
    '2nd percentile of the wait in the offload queue, 50 MB less 500 (ms)': spreadOver(
      one,
      (all) => p2(small(all)) - p2(large(all)),
    ),
    'slope of retransmissions by load, 500 MB (points)': spreadOver(one, (all) => retransmits(large(all))),
    'slope of retransmissions by load, 50 MB less 500 (points)': spreadOver(
      one,
      (all) => retransmits(small(all)) - retransmits(large(all)),
    ),
    'sessions with rebuffers at equal retransmissions, 50 MB less 500 (points)': spreadOver(one, (all) =>
      atEqual(small(all).map(pointOf), large(all).map(pointOf)),
    ),
    'most less least of 18 queues, most loaded hours less least (ms)': spreadOver(two, (all) =>
      byLoad(large(all)),
    ),
    'added to the least round trip, catalog less offload (ms)': spreadOver(one, (all) => {
      const stacks = congested(large(all));
      return (
        addedIn(stacks, ({ server }) => server === 'catalog') -
        addedIn(stacks, ({ server }) => server === 'offload')
      );
    }),
  };
}

export const percent = (metric: 'retransmits' | 'rebuffers', sessions: readonly SessionResult[]): number =>
  100 * meanOf([MEASURES[metric](sessions)]);

type Point = readonly [retransmits: number, rebuffers: number];

const pointOf = ({ sessions }: Played): Point => [
  percent('retransmits', sessions),
  percent('rebuffers', sessions),
];

/** How much higher the first points lie than the others, along lines of one slope. */
function atEqual(first: readonly Point[], others: readonly Point[]): number {
  const centers = [first, others].map(
    (points) => [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))] as const,
  );
  const slope = slopeOf(
    [first, others].flatMap((points, index) => {
      const [x0, y0] = centers[index] ?? [0, 0];
      return points.map(([x, y]) => [x - x0, y - y0] as const);
    }),
  );
  const [[x1, y1] = [NaN, NaN], [x2, y2] = [NaN, NaN]] = centers;
  return y1 - y2 - slope * (x1 - x2);
}

/** By how much the queues differ in the most loaded hours, less in the least loaded, along the line by load. */
function byLoad(stacks: readonly LoadedStack[]): number {
  const loads = stacks.map(({ load }) => load);
  const range = Math.max(...loads) - Math.min(...loads);
  return range * slopeOf(stacks.map((stack) => [stack.load, unlikeness(stack)] as const));
}

/** The most less the least of the queues' medians of what is added to the least round trip, ms. */
function unlikeness({ sessions, queues }: Played): number {
  const medians = queues
    .map((_, queue) =>
      medianOf(sessions.flatMap((each) => (each.queue === queue ? (addedMs(each) ?? []) : []))),
    )
    .filter((value) => Number.isFinite(value));
  return Math.max(...medians) - Math.min(...medians);
}
