import { demandKnown } from '../../demand-known.ts';
import { topOf, type Rung } from '../../film/ladder.ts';
import { kbps, timeAt, type Kbps } from '../../units.ts';
import type { AbrAlgorithm, AbrChoice, AbrEvent, AbrOptions, AbrSession, AbrState } from '../abr.ts';
import { AwaitedModel } from '../model/awaited-model.ts';
import { highestCarried } from '../highest-carried.ts';
import { nextSegment } from '../lookahead.ts';
import { modelOf, type Model, type ModelOptions } from '../model/model-source.ts';
import { nextState } from '../next-state.ts';
import { policyInputs } from './policy-inputs.ts';
import { readPolicy, scoresOf, type Policy } from './policy.ts';

export type PensieveOptions = ModelOptions;

/** The viewer waits for the first segment anyway. It is what this share of the throughput carries, as with MPC. */
const STARTUP_SHARE = 0.9;
/** More than this multiple of the top bitrate is no pace (Sammy's c0, §5), and is not looked at. */
const MOST_PACE = 3.2;
/** The throughputs at which a bound is looked for are this far apart, down to three quarters of the top bitrate. */
const [STEP, STEPS] = [0.75, 6];

/**
 * A rule learnt by reinforcement (Pensieve: Mao et al., SIGCOMM 2017): a network looks at the last downloads, the
 * buffer and the next segments, and scores each rung; the rung with the highest score is taken. What it was rewarded for, and on
 * which networks, is in the model. Without a model HYB chooses.
 *
 * Throws an Error that names an option that is unknown or out of range.
 */
export function pensieve(options: PensieveOptions): AbrAlgorithm {
  const model = modelOf('pensieve', options, readPolicy);
  demandKnown('pensieve', options, { model: options.model, warn: options.warn });
  return { name: 'pensieve', session: (abrOptions) => new PensieveSession(model, abrOptions) };
}

class PensieveSession implements AbrSession {
  readonly #awaited: AwaitedModel<Policy>;

  constructor(model: Model<Policy>, options: AbrOptions) {
    this.#awaited = new AwaitedModel(model, options);
  }

  observe(event: AbrEvent): void {
    this.#awaited.observe(event);
  }

  choose(state: AbrState): AbrChoice {
    const { model, lack } = this.#awaited.forChoice(state);
    if (!model) {
      const { rung, reason } = this.#awaited.hyb.choose(state);
      return { rung, reason: `HYB, ${lack}: ${reason}` };
    }
    if (!state.previous) return { rung: highestCarried(state, STARTUP_SHARE), reason: 'startup' };
    return { rung: bestRung(model, state), reason: 'policy' };
  }

  requiredThroughput(state: AbrState, rung: Rung): Kbps {
    const { model } = this.#awaited.forBound(state);
    if (!model) return this.#awaited.hyb.requiredThroughput(state, rung);
    if (!state.previous) return kbps((rung.bitrate_kbps * state.playbackRate) / STARTUP_SHARE);
    return policyBound(model, state, rung);
  }
}

const bestRung = (policy: Policy, state: AbrState): Rung => {
  const scores = scoresOf(policy, policyInputs(state, policy.reward));
  return state.ladder[scores.indexOf(Math.max(...scores))] ?? state.ladder[0];
};

/**
 * The least throughput from which on, up to the highest pace, the policy picks `rung` or a higher one, after the next segment has
 * arrived at that throughput; Infinity where it does not even at the highest. A policy may pick a lower rung on a faster
 * network, so the search goes down from there, and ends where the policy fails for the first time.
 */
export function policyBound(policy: Policy, state: AbrState, rung: Rung): Kbps {
  const speed = Math.max(1, state.playbackRate);
  let bound = Infinity;
  let throughput = MOST_PACE * topOf(state.ladder).bitrate_kbps * speed;
  for (let step = 0; step < STEPS; step++, throughput *= STEP) {
    const picked = bestRung(policy, afterSegment(state, rung, kbps(throughput)));
    if (picked.bitrate_kbps < rung.bitrate_kbps) break;
    bound = throughput;
  }
  return kbps(bound);
}

/** With the next segment among the downloads, as the network alone would let it arrive. */
function afterSegment(state: AbrState, rung: Rung, throughput: Kbps): AbrState {
  const latest = state.downloads.at(-1);
  const next = nextState(state, rung, throughput);
  if (!latest) return next;
  const { size } = nextSegment(state, rung);
  const arrived = {
    ...latest,
    size_bytes: size,
    download_ms: 1000 * timeAt(size, throughput),
    achieved_kbps: throughput,
    pace_limited: false,
  };
  return { ...next, downloads: [...state.downloads, arrived] };
}
