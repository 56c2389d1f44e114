import { demand } from '../../demand.ts';
import { topOf, type Rung } from '../../film/ladder.ts';
import { bitrateOf } from '../../film/segments.ts';
import { algorithm1 } from '../../pace/algorithm-1.ts';
import type { PaceDecision, PaceInput, PacePolicy } from '../../pace/pace.ts';
import { kbps, seconds, type Kbps } from '../../units.ts';
import type { AbrAlgorithm, AbrChoice, AbrEvent, AbrOptions, AbrSession, AbrState } from '../abr.ts';
import { highestCarried } from '../highest-carried.ts';
import { hyb } from '../hyb.ts';
import { nextSegment } from '../lookahead.ts';
import { resolveQoe, type Prediction } from '../mpc-session.ts';
import type { QoeOptions } from '../qoe.ts';
import { endValue, type ScenarioOptions } from '../scenario-mpc.ts';
import { FuguPlan } from './fugu-plan.ts';
import { Model, type ModelSource } from './model-source.ts';
import { TtpPredictor } from './ttp-predictor.ts';

export interface FuguOptions
  extends
    Pick<QoeOptions, 'lambda' | 'mu_per_s' | 'variation'>,
    Pick<ScenarioOptions, 'reserve_db_per_s' | 'reserve_share'> {
  /** Where the model is, or its bytes, or what gets them. It is fetched with the first question; until then HYB chooses. */
  readonly model: ModelSource;
  /** A plan may be worth so much less with a pace than without, dB; 0.05, at least 0. Ours. */
  readonly tolerance_db?: number;
  /** Is told once why there is no model, and HYB goes on. By default the console is. */
  readonly warn?: (message: string) => void;
}

/** The viewer waits for the first segment anyway. It is what this share of the throughput carries, as with MPC. */
const STARTUP_SHARE = 0.9;
/** CMCD `rtp` has these steps. */
const GRID_KBPS = 100;
/** Sammy's own c0 and c1 (§5), where there is no model; and more than c0 times the top bitrate is no pace (Algorithm 1). */
const GENEROUS = { c0: 3.2, c1: 2.8 };
/** Values that differ by less are equal. */
const ROUNDING_DB = 1e-9;

/**
 * Fugu in the browser (Puffer, thesis §2.3): the plan for the coming segments that promises the best experience over the
 * predicted distribution of each one's transmission time. The edge's receipts bring the TCP statistics that the predictor
 * wants; where a receipt lacks some, another predictor does without. Without a model HYB chooses.
 *
 * What it returns is an algorithm and a pace policy: given as `pace` too, it asks for the least pace with which the best
 * plan is worth as much as without, but for `tolerance_db`. What the network alone would take, T, becomes
 * max(T, RTT + size / pace).
 *
 * Throws an Error that names an option out of range.
 */
export function fugu(options: FuguOptions): AbrAlgorithm & PacePolicy {
  const { model: source, tolerance_db = 0.05, warn = toConsole, ...given } = options;
  const { reserve_db_per_s = 6, reserve_share = 0.5, ...others } = given;
  const qoe = resolveQoe({ ...others, steady: false });
  const atLeast0 = { tolerance_db, reserve_db_per_s, reserve_share };
  for (const [name, value] of Object.entries(atLeast0))
    demand(value >= 0 && value < Infinity, `option ${name}`, value, 'a number of at least 0');
  const end: Fugu['end'] = ({ bufferTarget, playbackRate }, arrived) =>
    endValue(seconds(Math.min(bufferTarget, reserve_share * arrived) / playbackRate), reserve_db_per_s);
  const model = new Model(source, (lack) => warn(`fugu: ${lack}; HYB chooses`));
  const otherwise = algorithm1(GENEROUS);
  return {
    name: 'fugu',
    session: (abrOptions) => new FuguSession({ model, qoe, end, tolerance_db }, abrOptions),
    choosePace: (input) => (model.state.model ? leastPace(input) : otherwise.choosePace(input)),
  };
}

/** The pace that the algorithm needs for the very rung, but no less than the segment's bitrate. */
function leastPace({ phase, state, rung, abr }: PaceInput): PaceDecision {
  if (phase !== 'playing') return { pace: null, reason: phase };
  const top_kbps = topOf(state.ladder).bitrate_kbps;
  const speed = Math.max(1, state.playbackRate);
  const bound = abr.requiredThroughput(state, rung);
  const multiplier = bound / top_kbps;
  if (bound > GENEROUS.c0 * top_kbps * speed) return { pace: null, reason: 'urgent', bound };
  const segment = kbps(bitrateOf([nextSegment(state, rung)]) * speed);
  if (segment > bound) return { pace: segment, reason: 'raised-to-segment-bitrate', multiplier, bound };
  return { pace: bound, reason: 'least-pace', multiplier, bound };
}

const toConsole = (message: string): void => {
  (globalThis as { console?: { warn(message: string): void } }).console?.warn(message);
};

interface Fugu {
  readonly model: Model;
  readonly qoe: Required<QoeOptions>;
  /** What so much is worth that is buffered at a plan's end, after so much content that has arrived. */
  readonly end: NonNullable<Prediction['endValue']>;
  readonly tolerance_db: number;
}

/** Plans anew for each segment. */
class FuguSession implements AbrSession {
  readonly #fugu: Fugu;
  readonly #hyb: AbrSession;
  #predictor: TtpPredictor | undefined;
  /** So much content has arrived since the session's start or the latest seek, s. */
  #arrived_s = 0;
  /** The latest plan, and the state that it is for: the same is asked about a choice, and then about its pace. */
  #planned: { readonly state: AbrState; readonly plan: FuguPlan } | undefined;

  constructor(fugu: Fugu, options: AbrOptions) {
    this.#fugu = fugu;
    this.#hyb = hyb().session(options);
  }

  observe(event: AbrEvent): void {
    this.#hyb.observe?.(event);
    if (event.type === 'seek') this.#arrived_s = 0;
    if (event.type !== 'download' || event.download.outcome !== 'completed') return;
    this.#arrived_s += event.download.segment_duration_s;
  }

  choose(state: AbrState): AbrChoice {
    const { model, lack } = this.#fugu.model.state;
    if (!model) {
      const { rung, reason } = this.#hyb.choose(state);
      return { rung, reason: `HYB, ${lack}: ${reason}` };
    }
    if (!state.previous) return { rung: highestCarried(state, STARTUP_SHARE), reason: 'startup' };
    const plan = this.#planFor(state);
    const { index } = bestOf(plan.values(), 0);
    return { rung: state.ladder[index] ?? state.ladder[0], reason: plan.words };
  }

  /** The least pace with which the plans that begin with `rung` or above are worth as much as the best without a pace. */
  requiredThroughput(state: AbrState, rung: Rung): Kbps {
    if (!this.#fugu.model.state.model) return this.#hyb.requiredThroughput(state, rung);
    const index = state.ladder.findIndex(({ bitrate_kbps }) => bitrate_kbps >= rung.bitrate_kbps);
    if (index < 0) return kbps(Infinity);
    if (!state.previous) return kbps((rung.bitrate_kbps * state.playbackRate) / STARTUP_SHARE);
    const plan = this.#planFor(state);
    const wanted = bestOf(plan.values(), 0).value - this.#fugu.tolerance_db;
    const suffices = (step: number) => bestOf(plan.values(kbps(step * GRID_KBPS)), index).value >= wanted;
    const highest = Math.ceil(
      (GENEROUS.c0 * topOf(state.ladder).bitrate_kbps * Math.max(1, state.playbackRate)) / GRID_KBPS,
    );
    if (!suffices(highest)) return kbps(Infinity);
    return kbps(leastOf(highest, suffices) * GRID_KBPS);
  }

  #planFor(state: AbrState): FuguPlan {
    const { model, qoe, end } = this.#fugu;
    const known = this.#planned;
    if (known && isSame(known.state, state)) return known.plan;
    const read = model.state.model;
    if (!read) throw new Error('there is no model');
    this.#predictor ??= new TtpPredictor(read);
    const plan = new FuguPlan(state, read, this.#predictor, {
      qoe,
      end: end(state, seconds(this.#arrived_s)),
    });
    this.#planned = { state, plan };
    return plan;
  }
}

/** Of the rungs from `lowest` on, the one whose plan is worth the most: of equals the lower. */
function bestOf(values: readonly number[], lowest: number): { index: number; value: number } {
  let [index, value] = [lowest, -Infinity];
  values.forEach((worth, rung) => {
    if (rung >= lowest && worth > value + ROUNDING_DB) [index, value] = [rung, worth];
  });
  return { index, value };
}

/** The least whole number above 0 that suffices, if all from it up to `enough`, which does, suffice too. */
function leastOf(enough: number, suffices: (step: number) => boolean): number {
  let [failing, sufficing] = [0, enough];
  while (sufficing - failing > 1) {
    const middle = Math.floor((failing + sufficing) / 2);
    if (suffices(middle)) sufficing = middle;
    else failing = middle;
  }
  return sufficing;
}

const COMPARED = [
  'ladder',
  'buffer',
  'playbackRate',
  'nextSegmentAt',
  'previous',
  'lowLatency',
  'downloads',
  'receipt',
  'sizes',
  'segmentDuration',
] as const satisfies readonly (keyof AbrState)[];

/** Whether a plan is the same. */
const isSame = (one: AbrState, other: AbrState): boolean => COMPARED.every((key) => one[key] === other[key]);
