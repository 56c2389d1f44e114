import { bytes, transferTime, type Kbps, type Seconds } from '../../units.ts';
import type { AbrState } from '../abr.ts';
import { planInputs, type PlanInputs, type QoeOptions } from '../qoe.ts';
import { endValue } from '../mpc/scenario-mpc.ts';
import { PredictedTimes } from './predicted-times.ts';
import { HORIZON, type TtpModel } from './ttp-model.ts';
import { bufferBin, ValueIteration, type PlanningProblem } from './value-iteration.ts';

/** Assumed round-trip time without a plausible receipt, µs: typical of a cellular network. */
const USUAL_RTT_US = 50_000;

export interface PlanOptions {
  readonly model: TtpModel;
  readonly qoe: Required<QoeOptions>;
  /** The value, in dB, of the first second of buffer at the end of a plan. */
  readonly reserve_db_per_s: number;
}

interface PlannedFor extends PlanningProblem {
  readonly reserve: Seconds;
}

/** Makes the plans of a session, one at a time. A plan reuses results of the previous plan that are still valid. */
export class FuguPlans {
  readonly #options: PlanOptions;
  readonly rungs: number;
  readonly #predicted: PredictedTimes;
  readonly #iteration: ValueIteration;
  #latest: PlannedFor | undefined;
  #unpaced: Float64Array = new Float64Array(0);

  constructor(options: PlanOptions, rungs: number) {
    this.#options = options;
    this.rungs = rungs;
    this.#predicted = new PredictedTimes(options.model, rungs);
    this.#iteration = new ValueIteration(rungs);
  }

  /**
   * Returns the plan for a state, which is valid until the next call. A buffer level above `reserve` at the plan's end
   * adds no value.
   */
  planFor(state: AbrState, reserve: Seconds): FuguPlan {
    const { qoe, reserve_db_per_s } = this.#options;
    const { playbackRate, lowLatency } = state;
    const atSpeed1 = planInputs(state, { ...qoe, horizon: HORIZON });
    const isNew = this.#predicted.predict(state, atSpeed1.size);
    // At double speed, one second of content lasts half a second.
    const course = {
      ...atSpeed1,
      duration: atSpeed1.duration.map((duration_s) => duration_s / playbackRate),
    };
    const planned: PlannedFor = {
      course,
      mu_per_s: qoe.mu_per_s,
      lowLatency,
      end: endValue(reserve, reserve_db_per_s),
      buffer_s: state.buffer / playbackRate,
      ahead: this.#predicted.times,
      reserve,
    };
    if (isNew || !this.#latest || !isSame(this.#latest, planned)) {
      this.#unpaced = this.#iteration.unpaced(planned);
      this.#latest = planned;
    }
    return new FuguPlan({
      planned,
      iteration: this.#iteration,
      unpaced: this.#unpaced,
      rtt_s: (this.#predicted.rtt_us ?? USUAL_RTT_US) / 1e6,
      description: `plan by ${course.byBitrate ? 'bitrate' : 'SSIM'}${this.#predicted.withoutTcp ? ' without TCP' : ''}`,
    });
  }
}

/** The values of the plans for one state. */
export class FuguPlan {
  readonly #given: PlanParts;

  constructor(given: PlanParts) {
    this.#given = given;
  }

  /** The available inputs, for the decision's `abr_reason`. */
  get words(): string {
    return this.#given.description;
  }

  /** The value of the best plan that begins with each rung. */
  values(): Float64Array {
    return this.#withGains(this.#given.unpaced);
  }

  /** The value of the best plan that begins with each rung if no segment arrives faster than `pace`. */
  valuesAt(pace: Kbps): Float64Array {
    const { iteration, planned } = this.#given;
    return this.#withGains(iteration.paced(planned, this.#shortestTimeAt(pace)));
  }

  /** Returns upper bounds of the results of `valuesAt`. It is much faster than `valuesAt`. */
  upperBoundsAt(pace: Kbps): Float64Array {
    const { iteration, planned } = this.#given;
    return this.#withGains(iteration.upperBounds(planned, this.#shortestTimeAt(pace)));
  }

  #shortestTimeAt(pace: Kbps): (size_bytes: number) => number {
    return (size_bytes) => this.#given.rtt_s + transferTime(bytes(size_bytes), pace);
  }

  #withGains(means: Float64Array): Float64Array {
    const gains = this.#given.planned.course.gain[0]?.[0];
    return means.map((mean, rung) => mean + (gains?.[rung] ?? 0));
  }
}

interface PlanParts {
  readonly planned: PlanningProblem;
  readonly iteration: ValueIteration;
  /** The values of unpaced plans by first rung, without the first segment's own quality. */
  readonly unpaced: Float64Array;
  readonly rtt_s: number;
  readonly description: string;
}

/** Compares everything except the previous rung, which affects only the gains of the first step. */
const isSame = (one: PlannedFor, other: PlannedFor): boolean =>
  one.reserve === other.reserve &&
  one.lowLatency === other.lowLatency &&
  bufferBin(one.buffer_s) === bufferBin(other.buffer_s) &&
  areSameInputs(one.course, other.course);

/** Compares the durations, and the gains of all steps except the first. */
function areSameInputs(one: PlanInputs, other: PlanInputs): boolean {
  return (
    one.steps === other.steps &&
    areSame(one.duration, other.duration) &&
    one.gain.every(
      (befores, step) =>
        step === 0 || befores.every((gains, before) => areSame(gains, other.gain[step]?.[before] ?? [])),
    )
  );
}

function areSame(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}
