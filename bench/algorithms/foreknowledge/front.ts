/** A way to reach a segment. */
export interface Way {
  /** Arrival time of the latest segment, s. */
  readonly at_s: number;
  /** Time at which the buffered content will have played, s. */
  readonly played_s: number;
  /**
   * The gain so far minus the cost of stalls, dB, plus μ times `played_s`. The last term makes ways comparable: a way
   * with less delay so far may still have to pay the cost of delay that the other way has paid. Of two ways, the one
   * with the larger worth is better, even if their `played_s` differ.
   */
  readonly worth: number;
  readonly rung: number;
  readonly before: Way | undefined;
}

/** The initial spacing of the grid, s. It is doubled until few enough ways are left. */
const RASTER_S = 1e-3;
/**
 * The grid of the delay is finer by this factor, because a second of delay costs as much as the quality of many
 * segments.
 */
const FINER = 100;
/** More grid steps than the longest session needs. */
const STEPS = 2 ** 28;

/**
 * Returns the Pareto front: the ways for which no other way is at least as early, as little delayed and worth as much.
 * If more than `most` ways are left, ways in the same cell of a grid of time are joined.
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

/**
 * Removes dominated ways. Goes through the ways in the order of arrival, and compares each with `stairs`: those of the
 * earlier ways whose worth increases with their delay.
 */
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
    // Also remove a stair with the same delay, because it is worth less.
    const from = stairs[low - 1]?.played_s === way.played_s ? low - 1 : low;
    stairs.splice(from, end - from, way);
    return true;
  });
}
