import { BINS } from './ttp-model.ts';

/**
 * The lowest probability of a time that is kept. Less probable times hardly matter: 10 s of stall at 100 dB/s with this
 * probability cost 0.001 dB.
 */
const LIKELY = 1e-6;

/** The likely transmission times of a plan's segments, and their probabilities. Segments are ordered by step, then by rung. */
export class LikelyTimes {
  /** The number of likely times per segment. */
  readonly counts: Uint8Array;
  /** The times, s: `BINS` places per segment, filled from the front. */
  readonly times_s: Float64Array;
  /** The probabilities at the same indexes. Each segment's sum is 1. */
  readonly shares: Float64Array;

  constructor(segments: number) {
    this.counts = new Uint8Array(segments);
    this.times_s = new Float64Array(segments * BINS);
    this.shares = new Float64Array(segments * BINS);
  }

  /**
   * Sets one segment's likely times, which are the bins' times (`times_s`) multiplied by `scale`, and their
   * probabilities.
   */
  set(segment: number, probabilities: Float32Array, times_s: readonly number[], scale: number): void {
    const from = segment * BINS;
    let at = from;
    let all = 0;
    for (let bin = 0; bin < BINS; bin++) {
      const share = probabilities[bin] ?? 0;
      if (!(share > LIKELY)) continue;
      this.times_s[at] = scale * (times_s[bin] ?? 0);
      this.shares[at++] = share;
      all += share;
    }
    this.counts[segment] = at - from;
    for (at--; at >= from; at--) this.shares[at] = (this.shares[at] ?? 0) / all;
  }

  /**
   * Copies the times of `ahead`, and raises each to at least `least_s(size)` for its segment's size. Sizes, in bytes,
   * are ordered by step, then by rung.
   */
  pace(ahead: LikelyTimes, sizes: readonly Float64Array[], least_s: (size_bytes: number) => number): void {
    let segment = 0;
    for (const size of sizes) for (const each of size) this.#pace(segment++, ahead, least_s(each));
  }

  #pace(segment: number, ahead: LikelyTimes, least_s: number): void {
    const from = segment * BINS;
    const end = from + (ahead.counts[segment] ?? 0);
    let at = from;
    let sooner = 0;
    for (let each = from; each < end; each++) {
      const time_s = ahead.times_s[each] ?? 0;
      const share = ahead.shares[each] ?? 0;
      if (time_s <= least_s) sooner += share;
      else {
        this.times_s[at] = time_s;
        this.shares[at++] = share;
      }
    }
    if (sooner > 0) {
      this.times_s[at] = least_s;
      this.shares[at++] = sooner;
    }
    this.counts[segment] = at - from;
  }
}
