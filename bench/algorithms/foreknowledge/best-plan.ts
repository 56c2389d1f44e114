import { computeExperience, segmentGain, MU_PER_S, type Watched } from './experience.ts';
import type { Foreknown } from './foreknown.ts';
import { front, type Join, type Way } from './front.ts';

/** A session at some point: the next segment, when the one before was there, and when that will have played. */
export interface Standing {
  readonly segment: number;
  readonly at_s: number;
  /** Undefined before playback has begun. */
  readonly played_s?: number | undefined;
  readonly previous?: number | undefined;
}

export interface Plan {
  /** The rungs of the next segment and all later ones that count. */
  readonly rungs: readonly number[];
  /** The plan's value, dB: its gains minus the cost of its stalls, minus `each` for every segment. */
  readonly value: number;
}

export const BEGINNING = (starts_s: number): Standing => ({ segment: 0, at_s: starts_s });

/** The ways that are kept for each segment and rung. */
const MOST = 400;

/**
 * Finds the rungs with the most experience from a given point, with everything known, by dynamic programming over the
 * segments. There are many ways to reach a rung of a segment. They differ in the arrival time, in the delay of playback so
 * far, and in the gain so far. With at most `most` ways of each, no way that could become the best is dropped; with more,
 * ways that are equal on a grid are joined. `each` is subtracted for every segment: the best possible mean is the value of
 * `each` with which nothing is left.
 */
export const bestPlan = (known: Foreknown, from: Standing, each = 0, most = MOST, floor = -Infinity): Plan =>
  search({ known, from, each, most, floor, join: valuable });

/**
 * An upper bound on the value of any plan: the earliest time, the smallest delay and the highest value of all plans, even if no
 * single plan has all three.
 */
export const mostValue = (
  known: Foreknown,
  from: Standing,
  each = 0,
  most = MOST,
  floor = -Infinity,
): number => search({ known, from, each, most, floor, join: atLeastBoth }).value;

const wayValue = ({ worth, played_s }: Way): number => worth - MU_PER_S * played_s;

const valuable: Join = (one, other) => (wayValue(other) > wayValue(one) ? other : one);

const atLeastBoth: Join = (one, other) => ({
  ...one,
  at_s: Math.min(one.at_s, other.at_s),
  played_s: Math.min(one.played_s, other.played_s),
  worth: Math.max(one.worth, other.worth),
});

interface Search {
  readonly known: Foreknown;
  readonly from: Standing;
  readonly each: number;
  readonly most: number;
  /** Plans of this value or less are ignored. */
  readonly floor: number;
  readonly join: Join;
}

function search({ known, from, each, most, floor, join }: Search): Plan {
  const { durations_s, quality_db, until_s } = known;
  const later = gainBounds(known, each);
  const rungs = (quality_db[0] ?? []).map((_, rung) => rung);
  let best: Plan = { rungs: [], value: floor };
  const end = (way: Way | undefined, value: number) => {
    if (value > best.value) best = { rungs: pathRungs(way), value };
  };
  const unseen = (way: Way | undefined) =>
    (way?.worth ?? MU_PER_S * (from.played_s ?? until_s)) - MU_PER_S * until_s;
  let ways: Way[] | undefined;
  for (let segment = from.segment; segment < durations_s.length; segment++) {
    const reached = rungs.map((): Way[] => []);
    for (const way of ways ?? [undefined]) {
      for (const rung of rungs) {
        const next = follow(known, from, each, segment, rung, way);
        // A viewer who waits until the end has not seen the segment.
        if (next.played_s - (durations_s[segment] ?? 0) >= until_s) end(way, unseen(way));
        else if (next.played_s >= until_s) end(next, wayValue(next));
        else if (wayValue(next) + (later[segment + 1] ?? 0) > floor) reached[rung]?.push(next);
      }
    }
    ways = reached.flatMap((list) => front(list, most, join));
    if (ways.length === 0) return best;
  }
  for (const way of ways ?? []) end(way, wayValue(way));
  return best;
}

/** For each segment, the most that it and all later segments can add. */
function gainBounds({ quality_db }: Foreknown, each: number): number[] {
  let sum = 0;
  return quality_db
    .toReversed()
    .map((rungs) => (sum += Math.max(0, Math.max(...rungs) - each)))
    .reverse();
}

/** Requests a segment as soon as the buffer has room, and waits for its arrival. */
function follow(
  { arrival, most, durations_s, quality_db }: Foreknown,
  from: Standing,
  each: number,
  segment: number,
  rung: number,
  before: Way | undefined,
): Way {
  const { at_s: free_s, played_s } = before ?? from;
  const previous = before?.rung ?? from.previous;
  const duration_s = durations_s[segment] ?? 0;
  const room_s =
    played_s === undefined || previous === undefined ? -Infinity : played_s - (most(previous) - duration_s);
  const at_s = arrival({ segment, rung, previous, asked_s: Math.max(free_s, room_s), free_s });
  const gain = segmentGain(quality_db[segment] ?? [], rung, previous) - each;
  const starts_s = Math.max(at_s, played_s ?? -Infinity);
  // Whether playback goes on at once or stalls before, the worth grows by the same (see there).
  const worth = before?.worth ?? MU_PER_S * (played_s ?? starts_s);
  return {
    at_s,
    played_s: starts_s + duration_s,
    worth: worth + gain + MU_PER_S * duration_s,
    rung,
    before,
  };
}

function pathRungs(way: Way | undefined): number[] {
  const rungs: number[] = [];
  for (let each = way; each; each = each.before) rungs.unshift(each.rung);
  return rungs;
}

/** The experience of a viewer with these rungs from the beginning, and when playback begins; the same model, without a grid. */
export function watch(
  known: Foreknown,
  starts_s: number,
  rungs: readonly number[],
): Watched & { readonly delay_s: number } {
  const { durations_s, until_s } = known;
  const from = BEGINNING(starts_s);
  const seen: number[] = [];
  let way: Way | undefined;
  let [stalled_s, delay_s] = [0, NaN];
  for (const [segment, rung] of rungs.entries()) {
    const next = follow(known, from, 0, segment, rung, way);
    const begins_s = next.played_s - (durations_s[segment] ?? 0);
    if (way) stalled_s += Math.max(0, Math.min(begins_s, until_s) - way.played_s);
    else delay_s = begins_s;
    if (begins_s >= until_s) break;
    seen.push(rung);
    way = next;
  }
  return { rungs: seen, stalled_s, delay_s };
}

/** The plan with the best mean experience, and a mean that none exceeds by more than how much longer it may be watched. */
export function bestMean(known: Foreknown, starts_s: number, most = MOST) {
  const from = BEGINNING(starts_s);
  let watched = watch(known, starts_s, bestPlan(known, from, 0, Math.min(most, FEW)).rungs);
  for (;;) {
    const mean = computeExperience(watched, known.quality_db);
    // Dinkelbach 1967: a plan with a better mean is worth more than 0 where this mean is taken off for each segment.
    const { rungs } = bestPlan(known, from, mean, most, LITTLE_DB);
    const better = watch(known, starts_s, rungs);
    if (rungs.length === 0) {
      const rest = mostValue(known, from, mean, most, 0);
      return { watched, mean, bound: mean + rest / watched.rungs.length };
    }
    watched = better;
  }
}

/** The number of ways in the first search. */
const FEW = 50;
/** A plan that is worth so little more in sum is as good. */
const LITTLE_DB = 0.1;
