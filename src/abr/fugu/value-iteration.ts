import type { EndValue } from '../planner.ts';
import type { PlanInputs } from '../qoe.ts';
import { LikelyTimes } from './likely-times.ts';
import { BINS, HORIZON } from './ttp-model.ts';

/** The width of a buffer bin, equal to that of the time bins (Puffer's thesis, §2.3.4). */
const BUFFER_STEP_S = 0.5;
/** The highest buffer level in the table: ten segments of 10 s, twice the length of a plan. */
const MOST_BUFFER_S = 100;
const BUFFERS = MOST_BUFFER_S / BUFFER_STEP_S + 1;

/** A planning problem: the segments, the costs and the predicted times. */
export interface PlanningProblem {
  readonly course: PlanInputs;
  readonly mu_per_s: number;
  /** Whether a segment plays while it is still arriving. */
  readonly lowLatency: boolean;
  readonly end: EndValue;
  /** Buffer level before the first step. */
  readonly buffer_s: number;
  /** Predicted transmission times. */
  readonly ahead: LikelyTimes;
}

/**
 * Computes the value of the best plans by value iteration over a binned buffer level (Puffer's thesis, Eq. 2.2),
 * backward from the last step. For each rung and each reachable buffer bin, it averages the cost of stalls plus the
 * value of the best continuation over the predicted times. The previous rung affects only the quality term, so this
 * average is the same for all previous rungs.
 *
 * There is one result for each rung of the first step. It excludes the quality of this step, the only term that depends
 * on the rung before the plan. All arrays are allocated once and reused for the next plan.
 */
export class ValueIteration {
  readonly #rungs: number;
  /** Transmission times with a pace. */
  readonly #paced: LikelyTimes;
  /** Values by previous rung, then by buffer bin: after the step (`#later`) and before it (`#now`). */
  #later: Float64Array;
  #now: Float64Array;
  /** Values after the first step without a pace, from bin `#unpacedLow` up. */
  #unpaced: Float64Array;
  #unpacedLow = 0;
  /** Average values by rung, then by buffer bin, without the step's quality. */
  readonly #means: Float64Array;
  /** For each buffer bin: the probability of times between this bin's level and the next bin's. */
  readonly #late = new Float64Array(BUFFERS);
  /** For each buffer bin: the sum of these times, weighted by their probabilities. */
  readonly #late_s = new Float64Array(BUFFERS);
  /** The lowest reachable buffer bin before each step. */
  readonly #lows = new Int32Array(HORIZON + 1);
  /** The highest reachable buffer bin before each step. */
  readonly #highs = new Int32Array(HORIZON + 1);

  constructor(rungs: number) {
    this.#rungs = rungs;
    this.#paced = new LikelyTimes(HORIZON * rungs);
    this.#later = new Float64Array(rungs * BUFFERS);
    this.#now = new Float64Array(rungs * BUFFERS);
    this.#unpaced = new Float64Array(rungs * BUFFERS);
    this.#means = new Float64Array(rungs * BUFFERS);
  }

  /** The values of the plans if the network alone determines the transmission times. */
  unpaced(planned: PlanningProblem): Float64Array {
    this.#iterate(planned, planned.ahead);
    this.#unpacedLow = this.#lows[1] ?? 0;
    this.#unpaced.set(this.#later);
    return this.#firstMeans(planned, planned.ahead);
  }

  /** The values of the plans if each segment takes at least `least_s(size)`, because of a pace. */
  paced(planned: PlanningProblem, least_s: (size_bytes: number) => number): Float64Array {
    this.#paced.pace(planned.ahead, planned.course.size, least_s);
    this.#iterate(planned, this.#paced);
    return this.#firstMeans(planned, this.#paced);
  }

  /**
   * Upper bounds of the results of `paced`. They are much faster to compute, because only the first segment is paced. Call
   * `unpaced` first. They are upper bounds because a later arrival never leads to a higher buffer bin.
   */
  upperBounds(planned: PlanningProblem, least_s: (size_bytes: number) => number): Float64Array {
    this.#paced.pace(planned.ahead, planned.course.size.slice(0, 1), least_s);
    // Use the lowest known value for all lower bins, because a lower buffer level is never worth more.
    this.#lows[1] = this.#unpacedLow;
    [this.#later, this.#unpaced] = [this.#unpaced, this.#later];
    const most = this.#firstMeans(planned, this.#paced);
    [this.#later, this.#unpaced] = [this.#unpaced, this.#later];
    return most;
  }

  /** Computes the values after the first step into `#later`. */
  #iterate(planned: PlanningProblem, times: LikelyTimes): void {
    const { course, end } = planned;
    this.#findRange(planned, times);
    const [low = 0, high = 0] = [this.#lows[course.steps], this.#highs[course.steps]];
    for (let bin = low; bin <= high; bin++) {
      const worth = end(bin * BUFFER_STEP_S);
      for (let rung = 0; rung < this.#rungs; rung++) this.#later[rung * BUFFERS + bin] = worth;
    }
    for (let step = course.steps - 1; step > 0; step--) {
      this.#meansAt(planned, times, step);
      this.#maximize(course.gain[step] ?? [], step);
    }
  }

  #firstMeans(planned: PlanningProblem, times: LikelyTimes): Float64Array {
    this.#meansAt(planned, times, 0);
    const first = this.#lows[0] ?? 0;
    return Float64Array.from({ length: this.#rungs }, (_, rung) => this.#means[rung * BUFFERS + first] ?? 0);
  }

  /** Computes the range of buffer bins in which each step can begin. */
  #findRange(planned: PlanningProblem, { counts, times_s }: LikelyTimes): void {
    const { course, buffer_s } = planned;
    this.#lows[0] = this.#highs[0] = bufferBin(buffer_s);
    for (let step = 0; step < course.steps; step++) {
      let [least_s, most_s] = [Infinity, 0];
      for (let segment = step * this.#rungs; segment < (step + 1) * this.#rungs; segment++) {
        for (let at = segment * BINS; at < segment * BINS + (counts[segment] ?? 0); at++) {
          least_s = Math.min(least_s, times_s[at] ?? 0);
          most_s = Math.max(most_s, times_s[at] ?? 0);
        }
      }
      const { empty, meanwhile_s, duration_s } = this.#stepTimes(planned, step);
      const after = (bin: number, time_s: number) =>
        bin * BUFFER_STEP_S + meanwhile_s < time_s ? empty : clamped(bin + toBins(duration_s - time_s), 0);
      this.#lows[step + 1] = after(this.#lows[step] ?? 0, most_s);
      this.#highs[step + 1] = after(this.#highs[step] ?? 0, Math.min(least_s, most_s));
    }
  }

  #stepTimes({ course, lowLatency }: PlanningProblem, step: number) {
    const duration_s = course.duration[step] ?? 0;
    const meanwhile_s = lowLatency ? duration_s : 0;
    return { duration_s, meanwhile_s, empty: bufferBin(duration_s - meanwhile_s) };
  }

  /** Computes the average values for all buffer bins in which the step can begin. */
  #meansAt(planned: PlanningProblem, { counts, times_s, shares }: LikelyTimes, step: number): void {
    const { duration_s, meanwhile_s, empty } = this.#stepTimes(planned, step);
    const [from = 0, to = 0, lowest = 0] = [this.#lows[step], this.#highs[step], this.#lows[step + 1]];
    for (let rung = 0; rung < this.#rungs; rung++) {
      const row = rung * BUFFERS;
      const segment = step * this.#rungs + rung;
      this.#means.fill(0, row + from, row + to + 1);
      for (let at = segment * BINS; at < segment * BINS + (counts[segment] ?? 0); at++) {
        const time_s = times_s[at] ?? 0;
        const share = shares[at] ?? 0;
        const lasts = Math.min(to + 1, Math.max(from, Math.ceil((time_s - meanwhile_s) / BUFFER_STEP_S)));
        if (lasts > from) {
          this.#late[lasts - 1] = (this.#late[lasts - 1] ?? 0) + share;
          this.#late_s[lasts - 1] = (this.#late_s[lasts - 1] ?? 0) + share * time_s;
        }
        this.#addLater(row, lasts, to, toBins(duration_s - time_s), share, lowest);
      }
      this.#addStalls(row, from, to, meanwhile_s, planned.mu_per_s, Math.max(lowest, empty));
    }
  }

  /**
   * Adds the continuation values after one transmission time, for the bins from `from` to `to`, which cover this time
   * without a stall. Resulting bins are clamped to the range from `lowest` to the highest bin.
   */
  #addLater(row: number, from: number, to: number, shift: number, share: number, lowest: number): void {
    const means = this.#means;
    const later = this.#later;
    const [low, high] = [Math.max(from, lowest - shift), Math.min(to, BUFFERS - 1 - shift)];
    for (let at = row + low; at <= row + high; at++)
      means[at] = (means[at] ?? 0) + share * (later[at + shift] ?? 0);
    for (let bin = from; bin < Math.min(low, to + 1); bin++)
      means[row + bin] = (means[row + bin] ?? 0) + share * (later[row + lowest] ?? 0);
    for (let bin = Math.max(high + 1, from, low); bin <= to; bin++)
      means[row + bin] = (means[row + bin] ?? 0) + share * (later[row + BUFFERS - 1] ?? 0);
  }

  /** Adds the cost of times that exceed the buffer, and the continuation values after those stalls. */
  #addStalls(
    row: number,
    from: number,
    to: number,
    meanwhile_s: number,
    mu_per_s: number,
    empty: number,
  ): void {
    const next = this.#later[row + empty] ?? 0;
    let share = 0;
    let late_s = 0;
    for (let bin = to; bin >= from; bin--) {
      share += this.#late[bin] ?? 0;
      late_s += this.#late_s[bin] ?? 0;
      this.#late[bin] = this.#late_s[bin] = 0;
      if (share === 0) continue;
      const stall_s = late_s - share * (bin * BUFFER_STEP_S + meanwhile_s);
      this.#means[row + bin] = (this.#means[row + bin] ?? 0) + share * next - mu_per_s * stall_s;
    }
  }

  #maximize(gains: readonly Float64Array[], step: number): void {
    const means = this.#means;
    const now = this.#now;
    const [from = 0, to = 0] = [this.#lows[step], this.#highs[step]];
    for (let before = 0; before < this.#rungs; before++) {
      const row = before * BUFFERS;
      now.fill(-Infinity, row + from, row + to + 1);
      for (let rung = 0; rung < this.#rungs; rung++) {
        const gain = gains[before]?.[rung] ?? 0;
        for (let bin = from; bin <= to; bin++) {
          const worth = gain + (means[rung * BUFFERS + bin] ?? 0);
          if (worth > (now[row + bin] ?? 0)) now[row + bin] = worth;
        }
      }
    }
    [this.#later, this.#now] = [this.#now, this.#later];
  }
}

/** The number of bins for a change of the buffer level, rounded; negative for a decrease. */
const toBins = (change_s: number): number => Math.round(change_s / BUFFER_STEP_S);

const clamped = (bin: number, lowest: number): number => Math.min(BUFFERS - 1, Math.max(lowest, bin));

export const bufferBin = (buffer_s: number): number => clamped(toBins(buffer_s), 0);
