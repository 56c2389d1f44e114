/** A way to have come to a segment. */
export interface Way {
  /** When the latest segment was there, s. */
  readonly at_s: number;
  /** When what is buffered will have played, s. */
  readonly played_s: number;
  /**
   * The gain so far minus the cost of stalls, dB, plus μ times `played_s`. A way that stalls later than another has as much
   * more here as it still has to pay. So of two ways the one with the larger worth is better, whether their `played_s` are
   * equal or not.
   */
  readonly worth: number;
  readonly rung: number;
  readonly before: Way | undefined;
}

/** The smallest raster, s; it is doubled until few enough ways are left. */
const RASTER_S = 1e-3;
/** The factor by which the grid of the delay is finer, since a second of delay costs as much as the quality of many segments. */
const FINER = 100;
/** More time than any session has, in steps of that. */
const STEPS = 2 ** 28;

/**
 * The ways that no other is at least as good as: earlier, less delayed, and worth more. Where more than `most` are left,
 * those that are the same on a raster of time are joined.
 */
export function front(ways: Way[], most: number, join: (one: Way, other: Way) => Way): Way[] {
  let left = undominated(ways);
  for (let raster_s = RASTER_S; left.length > most; raster_s *= 2) {
    const cells = new Map<number, Way>();
    for (const way of left) {
      const cell = Math.floor(way.at_s / raster_s) * STEPS + Math.floor((way.played_s * FINER) / raster_s);
      const there = cells.get(cell);
      cells.set(cell, there ? join(there, way) : way);
    }
    left = [...cells.values()];
  }
  return left;
}

/** In the order of time, against a staircase: of the ways so far those that are worth more the more they are delayed. */
function undominated(ways: Way[]): Way[] {
  ways.sort((a, b) => a.at_s - b.at_s || a.played_s - b.played_s || b.worth - a.worth);
  const stairs: Way[] = [];
  return ways.filter((way) => {
    let [low, high] = [0, stairs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((stairs[middle]?.played_s ?? 0) <= way.played_s) low = middle + 1;
      else high = middle;
    }
    if ((stairs[low - 1]?.worth ?? -Infinity) >= way.worth) return false;
    let end = low;
    while ((stairs[end]?.worth ?? Infinity) <= way.worth) end++;
    // One that is as delayed and worth less is no stair any more.
    const from = stairs[low - 1]?.played_s === way.played_s ? low - 1 : low;
    stairs.splice(from, end - from, way);
    return true;
  });
}
