import type { Course } from './qoe.ts';

/**
 * The best plan for the coming segments: of all sequences of rungs, the one with the most quality, less what its
 * stalls cost (Puffer, thesis Eq. 2.2 with one predicted throughput).
 *
 * The thesis bins the buffer to make its dynamic programme small. Nothing is binned here: the search is by branch and
 * bound, and exact. Backwards over the steps, a table tells the most that can still be gained from a rung on if nothing
 * stalls; forwards, a plan is followed only while what it has and what the table promises is more than the best plan
 * so far, and no other has come to the same rung with as much gained and as much buffered, from where it can do as well.
 * Rungs are tried in the order of that promise. Where the network is fast enough, the first plan is the best.
 */
export class Planner {
  readonly #course: Course;
  readonly #mu_per_s: number;
  readonly #lowLatency: boolean;
  readonly #end: EndValue;
  /** By step, then by rung before: the most that can still be gained if nothing stalls. The last is after the plan. */
  readonly #promises: readonly Float64Array[];
  /** By step, then by rung before; made where a plan comes by, which is seldom. */
  readonly #crossings: Crossing[][];
  /** Of the first step, from the lowest rung. */
  readonly #first: readonly Option[];
  /** Counts searches. */
  #search = 0;

  constructor(course: Course, mu_per_s: number, lowLatency: boolean, end: EndValue = () => 0) {
    this.#course = course;
    this.#end = end;
    this.#mu_per_s = mu_per_s;
    this.#lowLatency = lowLatency;
    this.#crossings = course.gain.map(() => []);
    let later = new Float64Array(course.rungs).fill(end(Infinity));
    const promises = [later];
    for (const befores of [...course.gain].reverse()) {
      const promised = new Float64Array(befores.length);
      befores.forEach((gains, before) => (promised[before] = mostOf(gains, later)));
      promises.unshift((later = promised));
    }
    this.#promises = promises;
    this.#first = [...this.#crossingAt(0, 0).options].sort((a, b) => a.rung - b.rung);
  }

  /**
   * The value of the best plan that begins with `rung`, or `floor` where none is better. It never rises with `sPerByte`,
   * the s of playback that a byte takes. A buffer below 0 is a stall that has begun.
   */
  best(buffer_s: number, sPerByte: number, rung: number, floor: number): number {
    const option = this.#first[rung];
    this.#search++;
    return option ? this.#follow([option], 0, buffer_s, sPerByte, 0, floor) : floor;
  }

  /** What such a plan is worth if nothing stalls; none is worth more. */
  most(rung: number): number {
    return this.#first[rung]?.promise ?? -Infinity;
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
    for (const { rung, gain, promise } of options) {
      if (value + promise <= best) break;
      // What plays while it arrives is there for its own download.
      const playable_s = this.#lowLatency ? buffer_s + duration_s : buffer_s;
      const left_s = playable_s - (sizes?.[rung] ?? 0) * sPerByte;
      const now = value + gain + this.#mu_per_s * Math.min(0, left_s);
      const there_s = this.#lowLatency ? Math.max(0, left_s) : Math.max(0, left_s) + duration_s;
      if (step + 1 === this.#course.steps) {
        best = Math.max(best, now + this.#end(there_s));
        continue;
      }
      const crossing = this.#crossingAt(step + 1, rung);
      if (!this.#isBeaten(crossing, there_s, now))
        best = this.#follow(crossing.options, step + 1, there_s, sPerByte, now, best);
    }
    return best;
  }

  /** Whether another plan of this search has been there with no less; if not, this one is remembered. */
  #isBeaten(crossing: Crossing, buffer_s: number, value: number): boolean {
    const { reached } = crossing;
    if (crossing.search !== this.#search) {
      crossing.search = this.#search;
      reached.length = 0;
    }
    for (const other of reached) if (other.buffer_s >= buffer_s && other.value >= value) return true;
    reached.push({ buffer_s, value });
    return false;
  }

  #crossingAt(step: number, before: number): Crossing {
    const made = this.#crossings[step]?.[before];
    if (made) return made;
    const later = this.#promises[step + 1];
    const options: Option[] = [];
    this.#course.gain[step]?.[before]?.forEach((gain, rung) =>
      options.push({ rung, gain, promise: gain + (later?.[rung] ?? 0) }),
    );
    options.sort((a, b) => b.promise - a.promise);
    const crossing: Crossing = { options, search: 0, reached: [] };
    const ofStep = this.#crossings[step];
    if (ofStep) ofStep[before] = crossing;
    return crossing;
  }
}

function mostOf(gains: Float64Array, later: Float64Array): number {
  let most = -Infinity;
  for (let rung = 0; rung < gains.length; rung++)
    most = Math.max(most, (gains[rung] ?? 0) + (later[rung] ?? 0));
  return most;
}

/** What so much buffered at the end of a plan is worth, s to dB. It never falls, and of Infinity it is the most. */
export type EndValue = (buffer_s: number) => number;

/** Where plans come by: before a step, after a rung. */
interface Crossing {
  /** The rungs, most promising first. */
  readonly options: readonly Option[];
  /** The search in which it was reached with these. */
  search: number;
  readonly reached: { readonly buffer_s: number; readonly value: number }[];
}

interface Option {
  readonly rung: number;
  readonly gain: number;
  /** The gain, and the most that can follow it without a stall. */
  readonly promise: number;
}
