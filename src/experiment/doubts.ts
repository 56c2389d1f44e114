import { milliseconds, millisecondsToSeconds, type Milliseconds } from '../units.ts';
import type { Design, Experiment } from './experiment.ts';

const HOUR_S = 3600;
const DAY_S = 86_400;

/** The minimum number of days for a confidence interval over days. */
const DAYS = 5;

/**
 * The minimum number of windows for a bounded 95% randomization interval. Five pairs of windows can be assigned in 32
 * ways. The actual assignment and its mirror image always count as at least as extreme as the data, which is 2 of 32,
 * over 5%. With six pairs, this is 2 of 64, below 5%.
 */
const WINDOWS = 12;

/** The number of buckets into which units are assigned. */
const BUCKETS = 10_000;

/**
 * The minimum difference between allocations. Closer allocations give a poor estimate of the effect of treating all
 * units.
 */
const APART = 0.5;

/** Returns the weaknesses of a valid experiment's design, one line each, prefixed with the experiment's name. */
export function doubtsAbout({ name, design, from, until, arms }: Experiment): string[] {
  const doubts = doubtsAboutDesign(design, from, until);
  if (JSON.stringify(arms.control) === JSON.stringify(arms.treatment))
    doubts.push('control and treatment have the same options: an A/A test');
  return doubts.map((doubt) => `${name}: ${doubt}`);
}

function doubtsAboutDesign(design: Design, from: Milliseconds, until: Milliseconds): string[] {
  const lasts = millisecondsToSeconds(milliseconds(until - from));
  switch (design.kind) {
    case 'ab':
      return [
        'an A/B test compares treated sessions with untreated neighbors; it does not show what a deployment does',
        ...singleArmDoubt(design.allocation),
        ...roundingDoubts([design.allocation]),
        ...durationDoubts(lasts),
      ];
    case 'paired':
      return [...allocationDoubts(Object.values(design.allocations)), ...durationDoubts(lasts)];
    case 'event': {
      const before = millisecondsToSeconds(milliseconds(design.at - from));
      return [
        ...allocationDoubts([design.low, design.high]),
        ...durationDoubts(before, 'before the event'),
        ...durationDoubts(lasts - before, 'after the event'),
      ];
    }
    case 'switchback':
      return [...allocationDoubts([design.low, design.high]), ...doubtsAboutWindows(design, lasts)];
  }
}

function doubtsAboutWindows(design: Extract<Design, { kind: 'switchback' }>, lasts_s: number): string[] {
  const [window_s, washout_s] = [millisecondsToSeconds(design.window), millisecondsToSeconds(design.washout)];
  const windows = Math.floor(lasts_s / window_s);
  return [
    ...doubtIf(
      window_s % HOUR_S !== 0,
      `window_s is ${window_s}: the analysis needs whole hours of ${HOUR_S} s`,
    ),
    ...doubtIf(
      washout_s === 0,
      'there is no wash-out: sessions of a window overlap with those of the window before',
    ),
    ...doubtIf(
      washout_s > window_s / 2,
      `washout_s is ${washout_s}: more than half of each window is excluded`,
    ),
    ...doubtIf(
      windows < WINDOWS,
      `${windows} windows are too few: an interval needs ${WINDOWS} or more in one cluster`,
    ),
    ...doubtIf(windows % 2 === 1, `${windows} windows: the last one has no partner`),
  ];
}

const singleArmDoubt = (allocation: number): string[] =>
  doubtIf(allocation === 0 || allocation === 1, `allocation is ${allocation}: there is only one arm`);

const allocationDoubts = (allocations: readonly number[]): string[] => {
  const [low, high] = [Math.min(...allocations), Math.max(...allocations)];
  return [
    ...doubtIf(
      high - low < APART,
      `allocations from ${low} to ${high} are close to each other: the total effect would be extrapolated far`,
    ),
    ...roundingDoubts(allocations),
  ];
};

/**
 * Reports allocations that are no multiple of a bucket: the actual fraction of treated units differs from the fraction
 * that the analysis assumes.
 */
const roundingDoubts = (allocations: readonly number[]): string[] =>
  allocations.flatMap((allocation) => {
    const buckets = allocation * BUCKETS;
    const treated = Math.ceil(buckets - 1e-6) / BUCKETS;
    return doubtIf(
      Math.abs(buckets - Math.round(buckets)) > 1e-6,
      `allocation ${allocation} is ${treated} in effect: units are assigned in ten-thousandths`,
    );
  });

const durationDoubts = (lasts_s: number, where = 'until its end'): string[] => {
  const days = Math.floor(lasts_s / DAY_S);
  return doubtIf(
    days < DAYS,
    `${days} whole days ${where} are too few: an interval that is robust to days needs ${DAYS} or more`,
  );
};

const doubtIf = (holds: boolean, doubt: string): string[] => (holds ? [doubt] : []);
