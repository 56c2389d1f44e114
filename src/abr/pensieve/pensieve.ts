import { demandKnown } from '../../demand-known.ts';
import { topRung, type Rung } from '../../film/ladder.ts';
import { kbps, transferTime, type Kbps } from '../../units.ts';
import type { AbrAlgorithm, AbrChoice, AbrEvent, AbrOptions, AbrSession, AbrState } from '../abr.ts';
import { AwaitedModel } from '../model/awaited-model.ts';
import { highestCarried } from '../highest-carried.ts';
import { nextSegment } from '../lookahead.ts';
import { createModel, type Model, type ModelOptions } from '../model/model-source.ts';
import { nextState } from '../next-state.ts';
import { policyInputs } from './policy-inputs.ts';
import { readPolicy, scoreRungs, type Policy } from './policy.ts';

export type PensieveOptions = ModelOptions;

/** The bitrate of the first segment is at most this share of the throughput, as with MPC: nothing can stall yet. */
const STARTUP_SHARE = 0.9;
/**
 * A pace above this multiple of the top bitrate counts as no pace (Sammy's c0, §5). The search for the required
 * throughput starts at this multiple.
 */
const MOST_PACE = 3.2;
/**
 * The search for the required throughput tries `STEPS` values, each `STEP` times the previous one: from 3.2 down to
 * 0.76 (3.2 * 0.75^5) times the top bitrate.
 */
const [STEP, STEPS] = [0.75, 6];

/**
 * A policy learned by reinforcement (Pensieve: Mao et al., SIGCOMM 2017). A neural network scores each rung by the
 * latest downloads, the buffer level and the next segments, and the rung with the highest score is taken. The model
 * file describes its reward and its training networks. HYB chooses while there is no model.
 *
 * Throws an Error that names an option that is unknown or out of range.
 */
export function pensieve(options: PensieveOptions): AbrAlgorithm {
  const model = createModel('pensieve', options, readPolicy);
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
    const { model, missingReason } = this.#awaited.forChoice(state);
    if (!model) {
      const { rung, reason } = this.#awaited.hyb.choose(state);
      return { rung, reason: `HYB, ${missingReason}: ${reason}` };
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
  const scores = scoreRungs(policy, policyInputs(state, policy.reward));
  return state.ladder[scores.indexOf(Math.max(...scores))] ?? state.ladder[0];
};

/**
 * The lowest throughput, at most the highest pace, such that the policy picks `rung` or a higher one if the next
 * segment arrives at this or any higher throughput; Infinity if the policy picks a lower rung even at the highest pace.
 * A policy may pick a lower rung on a faster network, so the search goes down from the highest pace and ends at the
 * first lower pick.
 */
export function policyBound(policy: Policy, state: AbrState, rung: Rung): Kbps {
  const speed = Math.max(1, state.playbackRate);
  let bound = Infinity;
  let throughput = MOST_PACE * topRung(state.ladder).bitrate_kbps * speed;
  for (let step = 0; step < STEPS; step++, throughput *= STEP) {
    const picked = bestRung(policy, afterSegment(state, rung, kbps(throughput)));
    if (picked.bitrate_kbps < rung.bitrate_kbps) break;
    bound = throughput;
  }
  return kbps(bound);
}

/** The state after the next segment has arrived at the throughput of an unpaced network. */
function afterSegment(state: AbrState, rung: Rung, throughput: Kbps): AbrState {
  const latest = state.downloads.at(-1);
  const next = nextState(state, rung, throughput);
  if (!latest) return next;
  const { size } = nextSegment(state, rung);
  const arrived = {
    ...latest,
    size_bytes: size,
    download_ms: 1000 * transferTime(size, throughput),
    achieved_kbps: throughput,
    pace_limited: false,
  };
  return { ...next, downloads: [...state.downloads, arrived] };
}
