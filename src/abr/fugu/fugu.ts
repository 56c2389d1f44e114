import { demandKnown } from '../../demand-known.ts';
import { AT_LEAST_0, checkOption } from '../../check-option.ts';
import { topRung, type Rung } from '../../film/ladder.ts';
import { meanBitrate } from '../../film/segments.ts';
import { algorithm1 } from '../../pace/algorithm-1.ts';
import type { PaceDecision, PaceInput, PacePolicy } from '../../pace/pace.ts';
import { kbps, seconds, type Kbps, type Seconds } from '../../units.ts';
import type { AbrAlgorithm, AbrChoice, AbrEvent, AbrOptions, AbrSession, AbrState } from '../abr.ts';
import { AwaitedModel } from '../model/awaited-model.ts';
import { highestCarried } from '../highest-carried.ts';
import { nextSegment } from '../lookahead.ts';
import { resolveQoe } from '../mpc/mpc-session.ts';
import type { QoeOptions } from '../qoe.ts';
import type { ScenarioOptions } from '../mpc/scenario-mpc.ts';
import { readTtpModel, type TtpModel } from './ttp-model.ts';
import { FuguPlans, type FuguPlan } from './fugu-plan.ts';
import { createModel, type Model, type ModelOptions } from '../model/model-source.ts';

export interface FuguOptions
  extends
    ModelOptions,
    Pick<QoeOptions, 'lambda' | 'mu_per_s' | 'variation'>,
    Pick<ScenarioOptions, 'reserve_db_per_s' | 'reserve_share'> {
  /**
   * The largest loss of a plan's value that a pace may cause, dB; at least 0.
   * @defaultValue 0.05
   */
  readonly tolerance_db?: number;
}

/**
 * The share of the throughput that the first rung may use, as with MPC. The viewer waits for the first segment anyway, so a
 * plan is of little help.
 */
const STARTUP_SHARE = 0.9;
/** The step size of CMCD `rtp`. */
const GRID_KBPS = 100;
/** Sammy's c0 and c1 (§5), used without a plan. A plan that needs over c0 times the top bitrate gets no pace. */
const SAMMY_MULTIPLIERS = { c0: 3.2, c1: 2.8 };
/** Values that differ by less count as equal. */
const ROUNDING_DB = 1e-9;

/**
 * The states for which a plan determined the required throughput. Shared by all `fugu()` objects, because the algorithm
 * and the pace policy of a session may be different `fugu()` objects.
 */
const STATES_WITH_PLAN = new WeakSet<AbrState>();

/**
 * Fugu in the browser (Puffer, thesis §2.3): takes the plan for the upcoming segments with the best expected quality of
 * experience over the predicted distribution of transmission times. The edge's receipts provide the TCP statistics for
 * the predictor. If a receipt lacks some, a second predictor without TCP statistics is used. HYB chooses while there is
 * no model.
 *
 * The returned object is both an algorithm and a pace policy. If it is the session's `abr` and `pace`, it requests the
 * lowest pace with which the best plan loses at most `tolerance_db`: a transmission time T without pacing becomes
 * max(T, RTT + size / pace). If another algorithm chooses, there are no plans, and its paces are those of Algorithm 1.
 *
 * Throws an Error that names an option that is unknown or out of range.
 */
export const fugu = (options: FuguOptions): AbrAlgorithm & PacePolicy => fuguNamed('fugu', options);

/** Creates Fugu under the given `name`. The properties of `more` name further valid options. */
export function fuguNamed(name: string, options: FuguOptions, more: object = {}): AbrAlgorithm & PacePolicy {
  const model = createModel(name, options, readTtpModel);
  const { model: source, tolerance_db = 0.05, warn, ...given } = options;
  const { reserve_db_per_s = 6, reserve_share = 0.5, ...others } = given;
  const qoe = resolveQoe({ ...others, steady: false });
  // The model determines the horizon, and `steady` belongs to MPC, so neither is an option of Fugu.
  const { steady, horizon, ...known } = qoe;
  demandKnown(name, options, {
    ...more,
    model: source,
    tolerance_db,
    reserve_db_per_s,
    reserve_share,
    warn,
    ...known,
  });
  const atLeast0 = { tolerance_db, reserve_db_per_s, reserve_share };
  for (const [option, value] of Object.entries(atLeast0)) checkOption(option, value, AT_LEAST_0);
  const reserve: Fugu['reserve'] = ({ bufferTarget, playbackRate }, arrived) =>
    seconds(Math.min(bufferTarget, reserve_share * arrived) / playbackRate);
  const otherwise = algorithm1(SAMMY_MULTIPLIERS);
  return {
    name,
    session: (abrOptions) =>
      new FuguSession({ model, qoe, reserve, reserve_db_per_s, tolerance_db }, abrOptions),
    choosePace(input) {
      const { phase, state, rung, abr } = input;
      if (phase !== 'playing') return { pace: null, reason: phase };
      const bound = abr.requiredThroughput(state, rung);
      // Another algorithm's `bound` suffices only for the present rung, so a pace this low would prevent a switch up.
      return STATES_WITH_PLAN.has(state) ? lowestPace(input, bound) : otherwise.choosePace(input);
    },
  };
}

/** The lowest pace that keeps the plan's rung, raised to at least the segment's bitrate. */
function lowestPace({ state, rung }: PaceInput, bound: Kbps): PaceDecision {
  const top_kbps = topRung(state.ladder).bitrate_kbps;
  const speed = Math.max(1, state.playbackRate);
  const multiplier = bound / top_kbps;
  if (bound > SAMMY_MULTIPLIERS.c0 * top_kbps * speed) return { pace: null, reason: 'urgent', bound };
  const segment = kbps(meanBitrate([nextSegment(state, rung)]) * speed);
  if (segment > bound) return { pace: segment, reason: 'raised-to-segment-bitrate', multiplier, bound };
  return { pace: bound, reason: 'least-pace', multiplier, bound };
}

interface Fugu {
  readonly model: Model<TtpModel>;
  readonly qoe: Required<QoeOptions>;
  /** The buffer level at a plan's end above which more buffer adds no value, given the content received so far. */
  readonly reserve: (state: AbrState, arrived: Seconds) => Seconds;
  readonly reserve_db_per_s: number;
  readonly tolerance_db: number;
}

class FuguSession implements AbrSession {
  readonly #fugu: Fugu;
  readonly #awaited: AwaitedModel<TtpModel>;
  #plans: FuguPlans | undefined;
  /** The result of the latest search. Results of consecutive searches are usually close. */
  #latestStep = Infinity;

  constructor(fugu: Fugu, options: AbrOptions) {
    this.#fugu = fugu;
    this.#awaited = new AwaitedModel(fugu.model, options);
  }

  observe(event: AbrEvent): void {
    this.#awaited.observe(event);
  }

  choose(state: AbrState): AbrChoice {
    const { model, missingReason } = this.#awaited.forChoice(state);
    if (!model) {
      const { rung, reason } = this.#awaited.hyb.choose(state);
      return { rung, reason: `HYB, ${missingReason}: ${reason}` };
    }
    if (!state.previous) return { rung: highestCarried(state, STARTUP_SHARE), reason: 'startup' };
    const plan = this.#planFor(state, model);
    const { index } = findBestRung(plan.values(), 0);
    return { rung: state.ladder[index] ?? state.ladder[0], reason: plan.words };
  }

  /** The lowest pace at which a plan from `rung` or above loses at most `tolerance_db` to the best unpaced plan. */
  requiredThroughput(state: AbrState, rung: Rung): Kbps {
    const { model } = this.#awaited.forBound(state);
    if (!model) return this.#awaited.hyb.requiredThroughput(state, rung);
    const index = state.ladder.findIndex(({ bitrate_kbps }) => bitrate_kbps >= rung.bitrate_kbps);
    STATES_WITH_PLAN.add(state);
    if (index < 0) return kbps(Infinity);
    if (!state.previous) return kbps((rung.bitrate_kbps * state.playbackRate) / STARTUP_SHARE);
    const plan = this.#planFor(state, model);
    const wanted = findBestRung(plan.values(), 0).value - this.#fugu.tolerance_db;
    const suffices = (step: number) => {
      const pace = kbps(step * GRID_KBPS);
      const most = findBestRung(plan.upperBoundsAt(pace), index).value;
      return most + ROUNDING_DB >= wanted && findBestRung(plan.valuesAt(pace), index).value >= wanted;
    };
    const highest = Math.ceil(
      (SAMMY_MULTIPLIERS.c0 * topRung(state.ladder).bitrate_kbps * Math.max(1, state.playbackRate)) /
        GRID_KBPS,
    );
    const step = findLeastStep(highest, Math.min(this.#latestStep, highest), suffices);
    this.#latestStep = step;
    return kbps(step > highest ? Infinity : step * GRID_KBPS);
  }

  #planFor(state: AbrState, model: TtpModel): FuguPlan {
    const { reserve, ...options } = this.#fugu;
    const { length } = state.ladder;
    if (this.#plans?.rungs !== length) this.#plans = new FuguPlans({ ...options, model }, length);
    return this.#plans.planFor(state, reserve(state, seconds(this.#awaited.arrived_s)));
  }
}

/**
 * Returns the index of the rung, from `lowest` up, with the most valuable plan. Of equally valuable plans, the lowest
 * rung is taken.
 */
function findBestRung(values: Float64Array, lowest: number): { index: number; value: number } {
  let [index, value] = [lowest, -Infinity];
  values.forEach((worth, rung) => {
    if (rung >= lowest && worth > value + ROUNDING_DB) [index, value] = [rung, worth];
  });
  return { index, value };
}

/**
 * Finds the lowest integer from 1 to `highest` that suffices, provided that every larger one does too. Returns a larger
 * number if there is none. The search starts at `guess` and doubles its stride until it has passed the result.
 */
function findLeastStep(highest: number, guess: number, suffices: (step: number) => boolean): number {
  let [failing, sufficing] = [0, highest + 1];
  let step = guess;
  for (let stride = 1; sufficing - failing > 1; stride *= 2) {
    if (suffices(step)) sufficing = step;
    else failing = step;
    if (failing === 0) step = Math.max(1, sufficing - stride);
    else if (sufficing > highest) step = Math.min(highest, failing + stride);
    else step = Math.floor((failing + sufficing) / 2);
  }
  return sufficing;
}
