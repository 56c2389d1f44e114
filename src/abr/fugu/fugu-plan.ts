import { bytes, timeAt, type Kbps, type Seconds } from '../../units.ts';
import type { AbrState } from '../abr.ts';
import { courseOf, type Course, type QoeOptions } from '../qoe.ts';
import { endValue } from '../mpc/scenario-mpc.ts';
import { PredictedTimes } from './predicted-times.ts';
import { HORIZON, type TtpModel } from './ttp-model.ts';
import { bufferBin, ValueIteration, type Planned } from './value-iteration.ts';

/** Where no receipt tells a round trip that can be believed, µs: a request's way on a cellular network. */
const USUAL_RTT_US = 50_000;

/** What plans go by, beside the state. */
export interface PlanOptions {
  readonly model: TtpModel;
  readonly qoe: Required<QoeOptions>;
  /** What the first second that is buffered at a plan's end is worth. */
  readonly reserve_db_per_s: number;
}

interface PlannedFor extends Planned {
  readonly reserve: Seconds;
}

/** The plans of a session, one at a time: what was worked out for one is kept for the next, as far as it is the same. */
export class FuguPlans {
  readonly #options: PlanOptions;
  /** The ladder's. */
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

  /** The plan for a state, at whose end more than the reserve is worth no more. It holds until the next is asked for. */
  planFor(state: AbrState, reserve: Seconds): FuguPlan {
    const { qoe, reserve_db_per_s } = this.#options;
    const { playbackRate, lowLatency } = state;
    const atSpeed1 = courseOf(state, { ...qoe, horizon: HORIZON });
    const isNew = this.#predicted.predict(state, atSpeed1.size);
    // At double speed a second of content lasts half.
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
      words: `plan by ${course.byBitrate ? 'bitrate' : 'SSIM'}${this.#predicted.withoutTcp ? ' without TCP' : ''}`,
    });
  }
}

/** What the plans for one state are worth. */
export class FuguPlan {
  readonly #given: PlanParts;

  constructor(given: PlanParts) {
    this.#given = given;
  }

  /** What it goes by, for the decision's reason. */
  get words(): string {
    return this.#given.words;
  }

  /** Of each rung, what the best plan is worth that begins with it. */
  values(): Float64Array {
    return this.#withGains(this.#given.unpaced);
  }

  /** The same if no segment comes faster than a pace. */
  valuesAt(pace: Kbps): Float64Array {
    const { iteration, planned } = this.#given;
    return this.#withGains(iteration.paced(planned, this.#leastAt(pace)));
  }

  /** What none of those exceeds, for a small part of the work. */
  mostAt(pace: Kbps): Float64Array {
    const { iteration, planned } = this.#given;
    return this.#withGains(iteration.atMost(planned, this.#leastAt(pace)));
  }

  #leastAt(pace: Kbps): (size_bytes: number) => number {
    return (size_bytes) => this.#given.rtt_s + timeAt(bytes(size_bytes), pace);
  }

  #withGains(means: Float64Array): Float64Array {
    const gains = this.#given.planned.course.gain[0]?.[0];
    return means.map((mean, rung) => mean + (gains?.[rung] ?? 0));
  }
}

interface PlanParts {
  readonly planned: Planned;
  readonly iteration: ValueIteration;
  /** Of each first rung, without its own quality. */
  readonly unpaced: Float64Array;
  readonly rtt_s: number;
  readonly words: string;
}

/** For the same segments: the rung before does not matter, as it changes the gains of the first step only. */
const isSame = (one: PlannedFor, other: PlannedFor): boolean =>
  one.reserve === other.reserve &&
  one.lowLatency === other.lowLatency &&
  bufferBin(one.buffer_s) === bufferBin(other.buffer_s) &&
  isSameCourse(one.course, other.course);

/** Whether all is the same but the sizes, and the gains of the first step: those of the others are by rung before. */
function isSameCourse(one: Course, other: Course): boolean {
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
