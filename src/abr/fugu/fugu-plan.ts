import type { AbrState } from '../abr.ts';
import { courseOf, type QoeOptions } from '../qoe.ts';
import type { EndValue } from '../planner.ts';
import { kbps, timeAt, bytes, type Kbps } from '../../units.ts';
import { HORIZON, BINS, type TtpModel } from './ttp-model.ts';
import { ttpInputs } from './ttp-inputs.ts';
import type { TtpPredictor } from './ttp-predictor.ts';
import { ValueIteration } from './value-iteration.ts';

/** Where no receipt tells the round trip, s: a request's way on a cellular network. */
const USUAL_RTT_S = 0.05;

/**
 * A segment larger than so many times the largest of the last eight is beyond what the predictor has learnt, since nobody asks
 * a network for so much more than it just carried: its time is taken to grow with its size from there on. Ours.
 */
const FAMILIAR = 1.5;

/** The predicted times of the coming segments, and what plans are worth with them. */
export class FuguPlan {
  readonly #iteration: ValueIteration;
  readonly #buffer_s: number;
  readonly #rtt_s: number;
  /** What it goes by, for the decision's reason. */
  readonly words: string;

  constructor(
    state: AbrState,
    { times_s }: TtpModel,
    predictor: TtpPredictor,
    { qoe, end }: { readonly qoe: Required<QoeOptions>; readonly end: EndValue },
  ) {
    const course = courseOf(state, { ...qoe, horizon: HORIZON });
    const inputs = ttpInputs(state.downloads, state.receipt);
    const probabilities = new Float32Array(course.steps * course.rungs * BINS);
    predictor.observe(inputs);
    const known_bytes = FAMILIAR * inputs.largest_bytes;
    const scales = new Float64Array(course.steps * course.rungs).fill(1);
    for (let step = 0; step < course.steps; step++) {
      course.size[step]?.forEach((size, rung) => {
        const at = step * course.rungs + rung;
        predictor.predict(step, Math.min(size, known_bytes), probabilities, at * BINS);
        scales[at] = Math.max(1, size / known_bytes);
      });
    }
    // At double speed a second of content lasts half.
    const duration = course.duration.map((duration_s) => duration_s / state.playbackRate);
    this.#iteration = new ValueIteration(
      { course: { ...course, duration }, mu_per_s: qoe.mu_per_s, lowLatency: state.lowLatency, end },
      { probabilities, times_s, scales },
    );
    this.#buffer_s = state.buffer / state.playbackRate;
    this.#rtt_s = state.receipt?.rtt_ms === undefined ? USUAL_RTT_S : state.receipt.rtt_ms / 1000;
    this.words = `plan by ${course.byBitrate ? 'bitrate' : 'SSIM'}${inputs.variant === 'tcp' ? '' : ' without TCP'}`;
  }

  /** Of each rung, what the best plan is worth that begins with it, if no segment comes faster than a pace. */
  values(pace: Kbps = kbps(Infinity)): number[] {
    return this.#iteration.values(this.#buffer_s, (size_bytes) =>
      pace === Infinity ? 0 : this.#rtt_s + timeAt(bytes(size_bytes), pace),
    );
  }
}
