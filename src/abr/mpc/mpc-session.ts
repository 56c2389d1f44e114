import { ABOVE_0, AT_LEAST_0, checkOption } from '../../check-option.ts';
import { demand } from '../../demand.ts';
import type { Rung } from '../../film/ladder.ts';
import { EXPECTED_SHARE, GRACE_S } from '../../learning/first-bytes.ts';
import { kbps, seconds, type Kbps, type Seconds } from '../../units.ts';
import type { AbrChoice, AbrEvent, AbrSession, AbrState } from '../abr.ts';
import { highestCarried } from '../highest-carried.ts';
import { bufferDrain } from '../sustainable.ts';
import { Planner, type EndValue } from '../planner.ts';
import { planInputs, type QoeOptions } from '../qoe.ts';

/** How a model-predictive algorithm predicts the network. */
export interface Prediction {
  /** The central prediction for the upcoming segments. */
  throughput(state: AbrState): Kbps;
  /**
   * Equally likely scenarios, each as a multiple of `throughput`. There is one plan per scenario, and all plans begin
   * with the same rung. A switch up must be sustainable in the first scenario.
   */
  shares(state: AbrState): readonly [number, ...number[]];
  /**
   * Whether plans for the first scenario may abandon the next segment for a lower rung, as the session does with
   * downloads that would outlast the buffer. Otherwise, a plan waits for the segment to complete, which overstates the
   * risk of an unlikely slow network.
   */
  givesUp?(state: AbrState, arrived: Seconds): boolean;
  /** The value of the buffer level at a plan's end, given the content received since the start or the latest seek. */
  endValue?(state: AbrState, arrived: Seconds): EndValue;
}

/** The step of the search for the required throughput, kbit/s: the step of CMCD `rtp`. */
const GRID_KBPS = 100;
/** The highest throughput of the search, in steps: 100 Gbit/s. */
const MOST_STEPS = 1e6;

/**
 * With `steady`, the reserve as a share of the player's buffer target. With 5 s of 18 s, the algorithms still switch
 * more than once in 20 s at 60% of the top bitrate; a share above a third changes nothing.
 */
const RESERVE_SHARE = 1 / 3;

/**
 * The share of the throughput that the first rung may use, as in dash.js. The viewer waits for the first segment anyway, and
 * a plan would accept only the lowest rung for it, to keep that wait short.
 */
const STARTUP_SHARE = 0.9;

/** Values that differ by less count as equal, because the order of a sum's terms affects rounding. */
const ROUNDING_DB = 1e-9;

/** Returns the options with defaults. Throws an Error that names an option out of range. */
export function resolveQoe(options: QoeOptions): Required<QoeOptions> {
  const { lambda = 1, mu_per_s = 100, horizon = 5, variation = 'same-segment', steady = true } = options;
  checkOption('lambda', lambda, AT_LEAST_0);
  checkOption('mu_per_s', mu_per_s, ABOVE_0);
  const whole = Number.isInteger(horizon) && horizon >= 1 && horizon <= 8;
  demand(whole, 'option horizon', horizon, 'a whole number from 1 to 8');
  const variations: readonly string[] = ['same-segment', 'literal'];
  demand(variations.includes(variation), 'option variation', variation, "'same-segment' or 'literal'");
  return { lambda, mu_per_s, horizon, variation, steady };
}

/** Plans the upcoming segments at the predicted throughput and takes the first step (Puffer's thesis, §2.3.4). */
export class MpcSession implements AbrSession {
  readonly #options: Required<QoeOptions>;
  readonly #prediction: Prediction;
  #last_kbps = 0;
  /** Seconds of content received since playback started or since the last seek. */
  #arrived_s = 0;
  /** Whether the rung has decreased since playback started or since the last seek. */
  #hasSwitchedDown = false;

  constructor(options: Required<QoeOptions>, prediction: Prediction) {
    this.#options = options;
    this.#prediction = prediction;
  }

  observe(event: AbrEvent): void {
    if (event.type === 'seek') [this.#hasSwitchedDown, this.#last_kbps, this.#arrived_s] = [false, 0, 0];
    if (event.type !== 'download') return;
    const { bitrate_kbps, outcome, segment_duration_s } = event.download;
    // An abandoned segment is never played, so its replacement does not count as a step down.
    if (outcome !== 'completed') return;
    this.#arrived_s += segment_duration_s;
    this.#hasSwitchedDown ||= bitrate_kbps < this.#last_kbps;
    this.#last_kbps = bitrate_kbps;
  }

  choose(state: AbrState): AbrChoice {
    if (!state.previous) return { rung: highestCarried(state, STARTUP_SHARE), reason: 'startup' };
    const { outlook, words: description } = this.#planScenarios(state);
    const predicted = this.#prediction.throughput(state);
    const highest = this.#highest(state, outlook, predicted);
    const { index } = predicted > 0 ? outlook.best(predicted, 0, highest) : { index: 0 };
    const held = index === highest && index < state.ladder.length - 1 ? ', higher would not last' : '';
    return { rung: state.ladder[index] ?? state.ladder[0], reason: description + held };
  }

  /**
   * Searches a grid, because the choice is not monotone: with less throughput, a plan may begin with a higher rung. The
   * plans that begin with `rung` or a higher rung ("high plans") must be better than the plans that begin with a lower
   * rung ("low plans"). No plan's value rises as throughput falls. The condition therefore holds in a whole range of
   * throughputs if the high plans at its lower end are better than the low plans at its upper end. The search starts
   * with an unbounded range and continues downward range by range, at the end step by step.
   */
  requiredThroughput(state: AbrState, rung: Rung): Kbps {
    const index = state.ladder.findIndex(({ bitrate_kbps }) => bitrate_kbps >= rung.bitrate_kbps);
    if (index === 0) return kbps(0);
    if (index < 0) return kbps(Infinity);
    if (!state.previous) return kbps((rung.bitrate_kbps * state.playbackRate) / STARTUP_SHARE);
    const { outlook } = this.#planScenarios(state);
    const throughput = (step: number) => kbps(GRID_KBPS * step);
    const lower = (step: number) => outlook.best(throughput(step), 0, index - 1).value;
    const better = (step: number, than: number) => {
      const highest = this.#highest(state, outlook, throughput(step));
      return outlook.exceeds(throughput(step), index, highest, than);
    };

    let below = lower(Infinity);
    let safe = 1;
    while (safe < MOST_STEPS && !better(safe, below)) safe *= 2;
    if (!better(safe, below)) return kbps(Infinity);
    for (;;) {
      safe = leastStep(safe, (step) => better(step, below));
      if (safe === 1) break;
      below = lower(safe - 1);
      if (!better(safe - 1, below)) break;
      safe -= 1;
    }
    return kbps(safe * GRID_KBPS);
  }

  #highest(state: AbrState, { shares }: ScenarioPlans, predicted: Kbps): number {
    const { ladder, buffer, bufferTarget, previous } = state;
    if (!this.#options.steady || !this.#hasSwitchedDown || !previous) return ladder.length - 1;
    const throughput = kbps(shares[0] * predicted);
    const lasts = (rung: Rung) =>
      rung.bitrate_kbps <= previous.bitrate_kbps ||
      buffer - bufferDrain({ ...state, throughput }, rung).end >= RESERVE_SHARE * bufferTarget;
    return Math.max(0, ladder.findLastIndex(lasts));
  }

  #planScenarios(state: AbrState): { readonly outlook: ScenarioPlans; readonly words: string } {
    const course = planInputs(state, this.#options);
    // At double speed, one second of content lasts half a second.
    const duration = course.duration.map((duration_s) => duration_s / state.playbackRate);
    const end = this.#prediction.endValue?.(state, seconds(this.#arrived_s));
    const planner = new Planner({ ...course, duration }, this.#options.mu_per_s, state.lowLatency, end);
    const givesUp = this.#prediction.givesUp?.(state, seconds(this.#arrived_s)) ?? false;
    const shares = this.#prediction.shares(state);
    const outlook = new ScenarioPlans(planner, state.buffer / state.playbackRate, shares, givesUp);
    return { outlook, words: course.byBitrate ? 'plan by bitrate' : 'plan by SSIM' };
  }
}

/** The plans for all throughput scenarios. */
class ScenarioPlans {
  readonly #planner: Planner;
  readonly #buffer_s: number;
  readonly shares: readonly [number, ...number[]];
  readonly #givesUp: boolean;
  /**
   * Indexes of `shares`, largest first. Scenarios with few stalls are planned quickly, and their values give a lower
   * bound for the plans of the other scenarios.
   */
  readonly #order: readonly number[];
  /** The rung for which `exceeds` was last true. It is tried first, because it probably suffices again. */
  #lastSufficientRung = 0;

  constructor(planner: Planner, buffer_s: number, shares: readonly [number, ...number[]], givesUp: boolean) {
    this.#planner = planner;
    this.#buffer_s = buffer_s;
    this.shares = shares;
    this.#givesUp = givesUp;
    this.#order = [...shares.keys()].sort((one, other) => (shares[other] ?? 0) - (shares[one] ?? 0));
  }

  /**
   * The rung from `lowest` to `highest` whose plans have the highest mean value, or the lowest such rung. The value
   * never decreases as `throughput` rises.
   */
  best(throughput: Kbps, lowest: number, highest: number): { index: number; value: number } {
    let [index, value] = [lowest, -Infinity];
    for (let rung = lowest; rung <= highest; rung++) {
      const mean = this.#mean(throughput, rung, value);
      if (mean > value + ROUNDING_DB) [index, value] = [rung, mean];
    }
    return { index, value };
  }

  /** Whether plans that begin with a rung from `lowest` to `highest` are worth more than `than`. */
  exceeds(throughput: Kbps, lowest: number, highest: number, than: number): boolean {
    const beats = (rung: number) => this.#mean(throughput, rung, than) > than + ROUNDING_DB;
    const last = this.#lastSufficientRung;
    if (last >= lowest && last <= highest && beats(last)) return true;
    for (let rung = lowest; rung <= highest; rung++)
      if (rung !== last && beats(rung)) {
        this.#lastSufficientRung = rung;
        return true;
      }
    return false;
  }

  /** The mean value of the plans that begin with `rung`. If the mean cannot exceed `floor`, returns at most `floor`. */
  #mean(throughput: Kbps, rung: number, floor: number): number {
    const { length } = this.shares;
    const most = this.#planner.upperBound(rung);
    let [sum, left] = [0, length];
    for (const place of this.#order) {
      // The value this plan must have if all following plans reach their upper bound.
      const least = floor * length - sum - --left * most;
      const value = this.#plan(
        rung,
        kbps((this.shares[place] ?? 0) * throughput),
        this.#givesUp && place === 0,
        least,
      );
      if (value <= least) return floor;
      sum += value;
    }
    return sum / length;
  }

  #plan(rung: number, throughput: Kbps, givesUp: boolean, least: number): number {
    let best = this.#planner.best(this.#buffer_s, secondsPerByte(throughput), rung, least);
    const anew = secondsPerByte(kbps(EXPECTED_SHARE * throughput));
    for (let lower = 0; givesUp && lower < rung; lower++)
      best = this.#planner.best(this.#buffer_s - GRACE_S, anew, lower, best);
    return best;
  }
}

const secondsPerByte = (throughput: Kbps): number => 8 / (throughput * 1000);

/**
 * Finds the lowest step for which `holds` is true, searching downward from `from`, for which it is true. If `holds` is
 * false for a step, it is false for all lower steps.
 */
function leastStep(from: number, holds: (step: number) => boolean): number {
  let [holding, failing] = [from, 0];
  // Begin with small strides, because the result is usually close to `from`.
  for (let stride = 1; holding - stride > failing; stride *= 2) {
    if (holds(holding - stride)) holding -= stride;
    else failing = holding - stride;
  }
  while (holding - failing > 1) {
    const middle = Math.floor((holding + failing) / 2);
    if (holds(middle)) holding = middle;
    else failing = middle;
  }
  return holding;
}
