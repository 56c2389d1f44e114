import type { Film } from './film.ts';

/** Tolerance for comparisons with a segment's start, because times are rounded doubles. */
const ROUNDING_S = 1e-6;

/** The start and end times of a video's segments, s, by index. */
export class Timeline {
  readonly #starts_s = [0];
  readonly #durations_s: readonly number[];

  constructor({ sidecar }: Film) {
    this.#durations_s = sidecar.segment_duration_s;
    let end_s = 0;
    for (const duration_s of this.#durations_s) this.#starts_s.push((end_s += duration_s));
  }

  get count(): number {
    return this.#durations_s.length;
  }

  /** The video's duration. */
  get end_s(): number {
    return this.getStart_s(this.count);
  }

  /** The start of a segment, or the end of the video. */
  getStart_s(index: number): number {
    return this.#starts_s[index] ?? 0;
  }

  /** The duration of a segment; 0 beyond the end. */
  getDuration_s(index: number): number {
    return this.#durations_s[index] ?? 0;
  }

  /** The index of the segment that plays at a time. */
  indexAt(time_s: number): number {
    return Math.max(
      0,
      this.#starts_s.findLastIndex((start_s) => start_s <= time_s + ROUNDING_S),
    );
  }
}
