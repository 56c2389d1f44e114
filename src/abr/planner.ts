import type { PlanInputs } from './qoe.ts';

/**
 * Finds the best plan for the upcoming segments: the sequence of rungs with the highest quality minus the cost of its stalls
 * (Puffer's thesis, Eq. 2.2 with one predicted throughput).
 *
 * The thesis bins the buffer level to keep its dynamic program small. This search is exact, by branch and bound. A
 * table, computed backward over the steps, has the highest possible further gain after each rung if nothing stalls. The
 * forward search follows a plan only while its value plus this bound exceeds the best value so far, and only if no
 * other plan has reached the same step and rung with at least as much value and buffer. Rungs are tried in descending
 * order of the bound. On a network that is fast enough, the first complete plan is the best.
 */
export class Planner {
  readonly #course: PlanInputs;
  readonly #mu_per_s: number;
  readonly #lowLatency: boolean;
  readonly #end: EndValue;
  /**
   * The highest possible further gain if nothing stalls, by step, then by previous rung. The last entry is the value after
   * the plan.
   */
  readonly #bounds: readonly Float64Array[];
  /** The nodes by step, then by previous rung. Created on demand, because few are reached. */
  readonly #nodes: PlanNode[][];
  /** The options of the first step, from the lowest rung. */
  readonly #first: readonly Option[];
  /** The number of searches so far. */
  #search = 0;

  constructor(course: PlanInputs, mu_per_s: number, lowLatency: boolean, end: EndValue = () => 0) {
    this.#course = course;
    this.#end = end;
    this.#mu_per_s = mu_per_s;
    this.#lowLatency = lowLatency;
    this.#nodes = course.gain.map(() => []);
    let later = new Float64Array(course.rungs).fill(end(Infinity));
    const bounds = [later];
    for (const befores of [...course.gain].reverse()) {
      const here = new Float64Array(befores.length);
      befores.forEach((gains, before) => (here[before] = highestTotal(gains, later)));
      bounds.unshift((later = here));
    }
    this.#bounds = bounds;
    this.#first = [...this.#nodeAt(0, 0).options].sort((a, b) => a.rung - b.rung);
  }

  /**
   * The value of the best plan that begins with `rung`, or `floor` if no plan is better. It never increases with
   * `sPerByte`, the seconds of content that play while a byte arrives. A negative buffer level is a stall that has
   * begun.
   */
  best(buffer_s: number, sPerByte: number, rung: number, floor: number): number {
    const option = this.#first[rung];
    this.#search++;
    return option ? this.#follow([option], 0, buffer_s, sPerByte, 0, floor) : floor;
  }

  /** The value of the best plan that begins with `rung` if nothing stalls: an upper bound. */
  upperBound(rung: number): number {
    return this.#first[rung]?.bound ?? -Infinity;
  }

  #follow(
    options: readonly Option[],
    step: number,
    buffer_s: number,
    sPerByte: number,
    value: number,
    floor: number,
  ): number {
    const sizes = this.#course.size[step];
    const duration_s = this.#course.duration[step] ?? 0;
    let best = floor;
    for (const { rung, gain, bound } of options) {
      if (value + bound <= best) break;
      // In low-latency live, the segment itself plays during its download.
      const playable_s = this.#lowLatency ? buffer_s + duration_s : buffer_s;
      const left_s = playable_s - (sizes?.[rung] ?? 0) * sPerByte;
      const now = value + gain + this.#mu_per_s * Math.min(0, left_s);
      const there_s = this.#lowLatency ? Math.max(0, left_s) : Math.max(0, left_s) + duration_s;
      if (step + 1 === this.#course.steps) {
        best = Math.max(best, now + this.#end(there_s));
        continue;
      }
      const crossing = this.#nodeAt(step + 1, rung);
      if (!this.#isDominated(crossing, there_s, now))
        best = this.#follow(crossing.options, step + 1, there_s, sPerByte, now, best);
    }
    return best;
  }

  /** Whether another plan of this search reached this node with at least as much buffer and value. If not, records this plan. */
  #isDominated(crossing: PlanNode, buffer_s: number, value: number): boolean {
    const { reached } = crossing;
    if (crossing.search !== this.#search) {
      crossing.search = this.#search;
      reached.length = 0;
    }
    for (const other of reached) if (other.buffer_s >= buffer_s && other.value >= value) return true;
    reached.push({ buffer_s, value });
    return false;
  }

  #nodeAt(step: number, before: number): PlanNode {
    const made = this.#nodes[step]?.[before];
    if (made) return made;
    const later = this.#bounds[step + 1];
    const options: Option[] = [];
    this.#course.gain[step]?.[before]?.forEach((gain, rung) =>
      options.push({ rung, gain, bound: gain + (later?.[rung] ?? 0) }),
    );
    options.sort((a, b) => b.bound - a.bound);
    const crossing: PlanNode = { options, search: 0, reached: [] };
    const ofStep = this.#nodes[step];
    if (ofStep) ofStep[before] = crossing;
    return crossing;
  }
}

function highestTotal(gains: Float64Array, later: Float64Array): number {
  let most = -Infinity;
  for (let rung = 0; rung < gains.length; rung++)
    most = Math.max(most, (gains[rung] ?? 0) + (later[rung] ?? 0));
  return most;
}

/**
 * Returns the value, dB, of the buffer level at the end of a plan. It must not decrease as the buffer level rises.
 * Called with Infinity, too.
 */
export type EndValue = (buffer_s: number) => number;

/** A node of the search: a step and the rung of the previous step. */
interface PlanNode {
  /** The rungs, in descending order of their bounds. */
  readonly options: readonly Option[];
  /** The search that recorded `reached`. */
  search: number;
  readonly reached: { readonly buffer_s: number; readonly value: number }[];
}

interface Option {
  readonly rung: number;
  readonly gain: number;
  /** This step's gain plus the highest possible further gain without a stall. */
  readonly bound: number;
}
