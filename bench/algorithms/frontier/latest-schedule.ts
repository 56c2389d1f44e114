import type { Capacity } from '../../../emulation/network/virtual/rounds/capacity.ts';

/** A segment that a planner who knows all has to fetch. Times are ms of the link's clock. */
export interface Due {
  readonly size_bytes: number;
  /** When it begins to play. */
  readonly due_ms: number;
  /** The player has no room for the segment before this time. */
  readonly room_ms: number;
}

export interface Fetched {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** Within a microsecond. */
const EXACT_MS = 1e-3;

/**
 * Downloads one after the other that end as late as they may: each when the segment plays, or, if that is earlier, when the
 * next one has to begin. Each lasts from the end of the one before, or from when there is room. A link stands idle only while
 * the player has no room, and no order of downloads leaves it idle for less, since here each ends at its latest. So none has
 * less chunk throughput.
 *
 * Throws an Error where the link carries too little, which it does not if somebody has fetched the same in time.
 */
export function latestSchedule(capacity: Capacity, from_ms: number, segments: readonly Due[]): Fetched[] {
  const ends_ms = new Array<number>(segments.length);
  let latest_ms = Infinity;
  for (const [index, { size_bytes, due_ms, room_ms }] of [...segments.entries()].reverse()) {
    const end_ms = Math.min(due_ms, latest_ms);
    ends_ms[index] = end_ms;
    latest_ms = latestStart(capacity, end_ms, size_bytes);
    const least_ms = Math.max(from_ms, room_ms);
    if (latest_ms < least_ms - EXACT_MS)
      throw new Error(
        `segment ${index} would have to be asked for at ${latest_ms.toFixed(0)} ms, where there is no room before ${least_ms.toFixed(0)} ms`,
      );
  }
  return segments.map(({ room_ms }, index) => ({
    from_ms: Math.max(from_ms, ends_ms[index - 1] ?? from_ms, room_ms),
    to_ms: ends_ms[index] ?? NaN,
  }));
}

/** The latest time from which on so many bytes are carried by `end_ms`. */
function latestStart(capacity: Capacity, end_ms: number, size_bytes: number): number {
  let [early, late] = [end_ms - 1, end_ms];
  while (capacity.bytesBetween(early, end_ms) < size_bytes) early = end_ms - 2 * (end_ms - early);
  while (late - early > EXACT_MS / 10) {
    const middle = (early + late) / 2;
    if (capacity.bytesBetween(middle, end_ms) < size_bytes) late = middle;
    else early = middle;
  }
  return early;
}
