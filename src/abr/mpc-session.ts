import { demand } from '../demand.ts';
import type { Rung } from '../film/ladder.ts';
import { kbps, type Kbps } from '../units.ts';
import type { AbrChoice, AbrEvent, AbrSession, AbrState } from './abr.ts';
import { highestCarried } from './highest-carried.ts';
import { spentBy } from './lasting.ts';
import { Planner } from './planner.ts';
import { courseOf, type QoeOptions } from './qoe.ts';

/** How a model-predictive algorithm sees the network. */
export interface Prediction {
  /** What the coming segments will have. */
  throughput(state: AbrState): Kbps;
  /** The share of a throughput that is relied on: what is predicted at that throughput is so much of it. */
  share(state: AbrState): number;
}

/** Steps in which the required throughput is looked for, kbit/s: CMCD `rtp` has them too. */
const GRID_KBPS = 100;
/** What does not keep a rung at 100 Gbit/s, does not keep it. */
const MOST_STEPS = 1e6;

/**
 * Of what the player fills up to. Ours: with 5 s of 18 the algorithms still switch more than once in 20 s at 60% of the
 * top bitrate, and more than a third changes nothing.
 */
const RESERVE_SHARE = 1 / 3;

/**
 * The viewer waits for the first segment anyway, and a plan would make him wait for the lowest rung only. It is what this
 * share of the throughput carries, as with dash.js.
 */
const STARTUP_SHARE = 0.9;

/** Throws an Error that names an option out of range. */
export function resolveQoe(options: QoeOptions): Required<QoeOptions> {
  const { lambda = 1, mu_per_s = 100, horizon = 5, variation = 'same-segment', steady = true } = options;
  demand(lambda >= 0 && lambda < Infinity, 'option lambda', lambda, 'a number of at least 0');
  demand(mu_per_s > 0 && mu_per_s < Infinity, 'option mu_per_s', mu_per_s, 'a number above 0');
  const whole = Number.isInteger(horizon) && horizon >= 1 && horizon <= 8;
  demand(whole, 'option horizon', horizon, 'a whole number from 1 to 8');
  const variations: readonly string[] = ['same-segment', 'literal'];
  demand(variations.includes(variation), 'option variation', variation, "'same-segment' or 'literal'");
  return { lambda, mu_per_s, horizon, variation, steady };
}

/** Plans the coming segments at the predicted throughput, and takes the first step of the plan (thesis §2.3.4). */
export class MpcSession implements AbrSession {
  readonly #options: Required<QoeOptions>;
  readonly #prediction: Prediction;
  #last_kbps = 0;
  /** The rungs have gone down since the session or the latest seek; before, they climb. */
  #fell = false;

  constructor(options: Required<QoeOptions>, prediction: Prediction) {
    this.#options = options;
    this.#prediction = prediction;
  }

  observe(event: AbrEvent): void {
    if (event.type === 'seek') [this.#fell, this.#last_kbps] = [false, 0];
    if (event.type !== 'download') return;
    const { bitrate_kbps } = event.download;
    this.#fell ||= bitrate_kbps < this.#last_kbps;
    this.#last_kbps = bitrate_kbps;
  }

  choose(state: AbrState): AbrChoice {
    if (!state.previous) return { rung: highestCarried(state, STARTUP_SHARE), reason: 'startup' };
    const { planner, words } = this.#plannerFor(state);
    const predicted = this.#prediction.throughput(state);
    const highest = this.#highest(state, predicted);
    const index = predicted > 0 ? planner.choose(bufferOf(state), secondsPerByte(predicted), highest) : 0;
    const held = index === highest && index < state.ladder.length - 1 ? ', higher would not last' : '';
    return { rung: state.ladder[index] ?? state.ladder[0], reason: words + held };
  }

  /**
   * By a search on the grid, since the choice is not monotone: with less, a plan may begin higher. Plans that begin with
   * `rung` or above are to be better than those that begin below. Neither gain from less throughput, and so all of a
   * range is safe where the former, at its lower end, are better than the latter at its upper end. The search begins with
   * all above some throughput, and goes down range by range, in the end step by step.
   */
  requiredThroughput(state: AbrState, rung: Rung): Kbps {
    const index = state.ladder.findIndex(({ bitrate_kbps }) => bitrate_kbps >= rung.bitrate_kbps);
    if (index === 0) return kbps(0);
    if (index < 0) return kbps(Infinity);
    if (!state.previous) return kbps((rung.bitrate_kbps * state.playbackRate) / STARTUP_SHARE);
    const { planner } = this.#plannerFor(state);
    const share = this.#prediction.share(state);
    const buffer_s = bufferOf(state);
    const throughput = (step: number) => kbps(share * GRID_KBPS * step);
    const lower = (step: number) => planner.best(buffer_s, secondsPerByte(throughput(step)), 0, index - 1);
    const better = (step: number, than: number) => {
      const highest = this.#highest(state, throughput(step));
      return planner.best(buffer_s, secondsPerByte(throughput(step)), index, highest, than) > than;
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

  /** Index of the highest rung that may be taken. */
  #highest(state: AbrState, throughput: Kbps): number {
    const { ladder, buffer, bufferTarget, previous } = state;
    if (!this.#options.steady || !this.#fell || !previous) return ladder.length - 1;
    const lasts = (rung: Rung) =>
      rung.bitrate_kbps <= previous.bitrate_kbps ||
      buffer - spentBy({ ...state, throughput }, rung).end >= RESERVE_SHARE * bufferTarget;
    return Math.max(0, ladder.findLastIndex(lasts));
  }

  #plannerFor(state: AbrState): { readonly planner: Planner; readonly words: string } {
    const course = courseOf(state, this.#options);
    // At double speed a second of content lasts half.
    const duration = course.duration.map((duration_s) => duration_s / state.playbackRate);
    const planner = new Planner({ ...course, duration }, this.#options.mu_per_s, state.lowLatency);
    return { planner, words: course.byBitrate ? 'plan by bitrate' : 'plan by SSIM' };
  }
}

const bufferOf = ({ buffer, playbackRate }: AbrState): number => buffer / playbackRate;

const secondsPerByte = (throughput: Kbps): number => 8 / (throughput * 1000);

/** Of the steps from `from`, which holds, down to 1: the last one before a condition fails, which then fails for all below. */
function leastStep(from: number, holds: (step: number) => boolean): number {
  let [holding, failing] = [from, 0];
  // The next answer is seldom far.
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
