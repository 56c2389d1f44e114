import type { EndValue } from '../planner.ts';
import type { Course } from '../qoe.ts';
import { BINS } from './ttp-model.ts';

/** Buffers are told apart in steps of this, as the bins of times are (thesis §2.3.4). */
const BUFFER_STEP_S = 0.5;
/** Five segments that take 10 s each do not empty more than this, twice. */
const MOST_BUFFER_S = 100;
const BUFFERS = MOST_BUFFER_S / BUFFER_STEP_S + 1;
/** A time that is less likely costs less than a thousandth of a dB even if all of it is a stall. */
const LIKELY = 1e-6;

/** What the segments of a plan may take. */
export interface TimesAhead {
  /** By step, then by rung, then by bin. */
  readonly probabilities: Float32Array;
  /** What each bin stands for, s. */
  readonly times_s: readonly number[];
  /** By step, then by rung: so many times that. */
  readonly scales: Float64Array;
}

/** What is planned, and what it costs. */
export interface Planned {
  readonly course: Course;
  readonly mu_per_s: number;
  /** A segment plays while it arrives. */
  readonly lowLatency: boolean;
  readonly end: EndValue;
}

/**
 * The worth of the best plans by value iteration over a binned buffer (thesis Eq. 2.2): from the last step backwards, for
 * each rung and each buffer the mean over the predicted times of what stalls cost, and of what the best goes on with. The
 * rung before matters only for the quality, so that each mean is taken once for all of them.
 */
export class ValueIteration {
  readonly #planned: Planned;
  readonly #ahead: TimesAhead;
  /** By rung before, then by buffer: the most that can follow; of the step behind, and of this one. */
  #later: Float64Array;
  #now: Float64Array;
  /** By rung, then by buffer: without the quality of the step. */
  readonly #means: Float64Array;
  /** Of one rung at one step: times and their probabilities. */
  readonly #times_s = new Float64Array(BINS);
  readonly #shares = new Float64Array(BINS);

  constructor(planned: Planned, ahead: TimesAhead) {
    this.#planned = planned;
    this.#ahead = ahead;
    const { rungs } = planned.course;
    this.#later = new Float64Array(rungs * BUFFERS);
    this.#now = new Float64Array(rungs * BUFFERS);
    this.#means = new Float64Array(rungs * BUFFERS);
  }

  /**
   * Of each rung, what the best plan is worth that begins with it. No segment arrives sooner than it takes `least`, s by
   * its size: what a pace allows.
   */
  values(buffer_s: number, least: (size_bytes: number) => number): number[] {
    const { steps, rungs, gain, duration } = this.#planned.course;
    const first = binOf(buffer_s);
    const durations_s = duration.slice(0, steps);
    const content_s = durations_s.reduce((sum, each) => sum + each, 0);
    const highest = Math.min(BUFFERS - 1, first + Math.ceil(content_s / BUFFER_STEP_S) + steps);
    this.#fillEnd(highest);
    for (let step = steps - 1; step > 0; step--) {
      this.#meansAt(step, 0, highest, highest, least);
      this.#bestOf(gain[step] ?? [], highest);
    }
    this.#meansAt(0, first, first, highest, least);
    return Array.from(
      { length: rungs },
      (_, rung) => (gain[0]?.[0]?.[rung] ?? 0) + (this.#means[rung * BUFFERS + first] ?? 0),
    );
  }

  #fillEnd(highest: number): void {
    const { course, end } = this.#planned;
    for (let bin = 0; bin <= highest; bin++) {
      const worth = end(bin * BUFFER_STEP_S);
      for (let rung = 0; rung < course.rungs; rung++) this.#later[rung * BUFFERS + bin] = worth;
    }
  }

  /** For the buffers `from` to `to`; what follows is known up to `highest`, which no plan exceeds. */
  #meansAt(
    step: number,
    from: number,
    to: number,
    highest: number,
    least: (size_bytes: number) => number,
  ): void {
    const { course, mu_per_s, lowLatency } = this.#planned;
    const duration_s = course.duration[step] ?? 0;
    const meanwhile_s = lowLatency ? duration_s : 0;
    for (let rung = 0; rung < course.rungs; rung++) {
      const count = this.#timesOf(step, rung, least(course.size[step]?.[rung] ?? 0));
      const row = rung * BUFFERS;
      for (let bin = from; bin <= to; bin++) {
        let mean = 0;
        for (let index = 0; index < count; index++) {
          const left_s = bin * BUFFER_STEP_S + meanwhile_s - (this.#times_s[index] ?? 0);
          const there = Math.min(highest, binOf(Math.max(0, left_s) + duration_s - meanwhile_s));
          const stalls = left_s < 0 ? mu_per_s * left_s : 0;
          mean += (this.#shares[index] ?? 0) * (stalls + (this.#later[row + there] ?? 0));
        }
        this.#means[row + bin] = mean;
      }
    }
  }

  /** The likely times of a rung, and how many they are. All that are sooner than `least_s` are that. */
  #timesOf(step: number, rung: number, least_s: number): number {
    const { probabilities, times_s, scales } = this.#ahead;
    const segment = step * this.#planned.course.rungs + rung;
    const at = segment * BINS;
    const scale = scales[segment] ?? 1;
    let count = 0;
    let sooner = 0;
    let all = 0;
    for (let bin = 0; bin < BINS; bin++) {
      const share = probabilities[at + bin] ?? 0;
      const time_s = scale * (times_s[bin] ?? 0);
      if (time_s <= least_s) sooner += share;
      else if (share > LIKELY) {
        this.#times_s[count] = time_s;
        this.#shares[count++] = share;
        all += share;
      }
    }
    if (sooner > LIKELY || count === 0) {
      this.#times_s[count] = least_s;
      this.#shares[count++] = sooner;
      all += sooner;
    }
    for (let index = 0; index < count; index++) this.#shares[index] = (this.#shares[index] ?? 0) / (all || 1);
    return count;
  }

  #bestOf(gains: readonly Float64Array[], highest: number): void {
    const { rungs } = this.#planned.course;
    gains.forEach((ofBefore, before) => {
      for (let bin = 0; bin <= highest; bin++) {
        let best = -Infinity;
        for (let rung = 0; rung < rungs; rung++)
          best = Math.max(best, (ofBefore[rung] ?? 0) + (this.#means[rung * BUFFERS + bin] ?? 0));
        this.#now[before * BUFFERS + bin] = best;
      }
    });
    [this.#later, this.#now] = [this.#now, this.#later];
  }
}

const binOf = (buffer_s: number): number =>
  Math.min(BUFFERS - 1, Math.max(0, Math.round(buffer_s / BUFFER_STEP_S)));
