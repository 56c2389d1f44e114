import { segmentGain, MU_PER_S } from './experience.ts';
import type { Foreknown } from './foreknown.ts';
import { front, type Way } from './front.ts';

/**
 * The state of a session: the next segment, the arrival time of the previous one, and the time at which the buffered
 * content will have played.
 */
export interface Standing {
  readonly segment: number;
  readonly at_s: number;
  /** Undefined before playback has begun. */
  readonly played_s?: number | undefined;
  readonly previous?: number | undefined;
}

export interface Plan {
  /** The rungs of the next segment and of all later segments that begin to play before `until_s`. */
  readonly rungs: readonly number[];
  /** The value of the plan in dB: its gains minus the cost of its stalls. */
  readonly value: number;
}

export const BEGINNING = (starts_s: number): Standing => ({ segment: 0, at_s: starts_s });

/** The maximum number of ways to keep for each segment and rung. */
const MOST = 400;

/**
 * Finds the rungs with the best experience from a given state, when the video and the network are known, by dynamic
 * programming over the segments. A rung of a segment can be reached in many ways, which differ in the arrival time, in
 * the delay of playback so far, and in the gain so far. If at most `most` ways exist for a segment and rung, no way
 * that could become the best is dropped. Otherwise, the ways are put on a grid, and only the most valuable way of each
 * grid cell is kept.
 */
export function bestPlan(known: Foreknown, from: Standing, most = MOST): Plan {
  const { durations_s, quality_db, until_s } = known;
  const rungs = (quality_db[0] ?? []).map((_, rung) => rung);
  let best: Plan = { rungs: [], value: -Infinity };
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
        const next = follow(known, from, segment, rung, way);
        // A viewer who still waits for the segment at the end of the session has not seen it.
        if (next.played_s - (durations_s[segment] ?? 0) >= until_s) end(way, unseen(way));
        else if (next.played_s >= until_s) end(next, wayValue(next));
        else reached[rung]?.push(next);
      }
    }
    ways = reached.flatMap((list) => front(list, most, moreValuable));
    if (ways.length === 0) return best;
  }
  for (const way of ways ?? []) end(way, wayValue(way));
  return best;
}

const wayValue = ({ worth, played_s }: Way): number => worth - MU_PER_S * played_s;

const moreValuable = (one: Way, other: Way): Way => (wayValue(other) > wayValue(one) ? other : one);

/** Extends a way by one segment: requests it as soon as the buffer has room, and waits for its arrival. */
function follow(
  { arrival, most, durations_s, quality_db }: Foreknown,
  from: Standing,
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
  const gain = segmentGain(quality_db[segment] ?? [], rung, previous);
  const starts_s = Math.max(at_s, played_s ?? -Infinity);
  // The worth grows by the same amount whether playback continues or stalls (see `Way.worth`).
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
