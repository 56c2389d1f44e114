import type { Course } from './qoe.ts';

/**
 * The best plan for the coming segments: of all sequences of rungs, the one with the most quality, less what its
 * stalls cost (Puffer, thesis Eq. 2.2 with one predicted throughput).
 *
 * The thesis bins the buffer to make its dynamic programme small. Nothing is binned here: the search is by branch and
 * bound, and exact. Backwards over the steps, a table tells the most that can still be gained from a rung on if nothing
 * stalls; forwards, a plan is followed only while what it has and what the table promises is more than the best plan
 * so far. Rungs are tried in the order of that promise. Where the network is fast enough, the first plan is the best.
 */
export class Planner {
  readonly #course: Course;
  readonly #mu_per_s: number;
  readonly #lowLatency: boolean;
  readonly #end: EndValue;
  /** By step and rung before: the rungs, most promising first, and what each promises with all that follows. */
  readonly #options: readonly (readonly Option[])[][];

  constructor(course: Course, mu_per_s: number, lowLatency: boolean, end: EndValue = () => 0) {
    this.#course = course;
    this.#end = end;
    this.#mu_per_s = mu_per_s;
    this.#lowLatency = lowLatency;
    const options: Option[][][] = [];
    for (let step = course.steps - 1; step >= 0; step--) {
      const later = options[0];
      options.unshift(
        (course.gain[step] ?? []).map((gains) =>
          Array.from(gains, (gain, rung) => ({
            rung,
            gain,
            promise: gain + (later?.[rung]?.[0]?.promise ?? end(Infinity)),
          })).sort((a, b) => b.promise - a.promise),
        ),
      );
    }
    this.#options = options;
  }

  /**
   * The value of the best plan that begins with one of the rungs from `lowest` to `highest`, or `floor` where none is
   * better. It never rises with `sPerByte`, the s of playback that a byte takes.
   */
  best(buffer_s: number, sPerByte: number, lowest: number, highest: number, floor = -Infinity): number {
    const first = (this.#options[0]?.[0] ?? []).filter(({ rung }) => rung >= lowest && rung <= highest);
    return this.#follow(first, 0, buffer_s, sPerByte, 0, floor);
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
      const next = this.#options[step + 1]?.[rung];
      const there_s = this.#lowLatency ? Math.max(0, left_s) : Math.max(0, left_s) + duration_s;
      if (next) best = this.#follow(next, step + 1, there_s, sPerByte, now, best);
      else best = Math.max(best, now + this.#end(there_s));
    }
    return best;
  }
}

/** What so much buffered at the end of a plan is worth, s to dB. It never falls, and of Infinity it is the most. */
export type EndValue = (buffer_s: number) => number;

interface Option {
  readonly rung: number;
  readonly gain: number;
  /** The gain, and the most that can follow it without a stall. */
  readonly promise: number;
}
