import { AT_LEAST_0, checkOption } from '../../check-option.ts';
import { demandOptions } from '../../demand-known.ts';
import { belowNetwork } from '../../pace/below-network.ts';
import type { PacePolicy } from '../../pace/pace.ts';
import { kbps, type Kbps } from '../../units.ts';
import type { Rung } from '../../film/ladder.ts';
import type { AbrAlgorithm, AbrChoice, AbrEvent, AbrSession, AbrState } from '../abr.ts';
import { careful } from '../careful.ts';
import { fuguNamed, type FuguOptions } from './fugu.ts';

export interface PlannerOptions extends FuguOptions {
  /**
   * The buffer level, s, below which the default algorithm limits the rung; at least 0.
   * @defaultValue 14
   */
  readonly guard_s?: number;
}

/**
 * Below this buffer level, s, the default algorithm's required throughput determines the pace. With 14 s, as for the
 * choice of rungs, the buffer grows more slowly, and the share of stall time on FCC's networks is 0.1 percentage points
 * higher.
 */
const LEAST_PACE_FROM_S = 20;
/** Above this buffer level, s, the guard keeps the previous rung if Fugu plans at least this rung. */
const HOLD_FROM_S = 10;
/** The weight of a change of quality. With Fugu's default of 1, there are a fifth more switches. */
const LAMBDA = 2;
/**
 * Without a required throughput, the pace may stay below the network's throughput. This may delay a switch up, but a
 * queue costs other traffic more.
 */
const NO_REQUIREMENT = { requiredThroughput: () => kbps(0) };

/**
 * Fugu, guarded by the default algorithm: while less than `guard_s` is buffered, the lower of the two algorithms' rungs
 * is chosen; above this level, Fugu's rung. Fugu has better quality on fast networks. The default algorithm has fewer
 * stalls on slow and unsteady networks, where the buffer is short.
 *
 * The returned object is both an algorithm and a pace policy, like that of `fugu()`. As `pace`, it also stays below the
 * network's throughput, like the default pace policy. The constants were chosen on simulated networks
 * (docs/results/log/planner.md). Throws an Error that names an option that is unknown or out of range.
 */
export function planner(options: PlannerOptions): AbrAlgorithm & PacePolicy {
  demandOptions('planner', options);
  const { guard_s = 14, ...own } = options;
  checkOption('guard_s', guard_s, AT_LEAST_0);
  const plan = fuguNamed('planner', { lambda: LAMBDA, ...own }, { guard_s });
  const guard = careful();
  return {
    ...plan,
    session: (abrOptions) => new PlannerSession(plan.session(abrOptions), guard.session(abrOptions), guard_s),
    choosePace(input) {
      const decision = plan.choosePace(input);
      const fixed = belowNetwork({ name: 'planner', choosePace: () => decision });
      return fixed.choosePace({ ...input, abr: NO_REQUIREMENT });
    },
  };
}

class PlannerSession implements AbrSession {
  readonly #plan: AbrSession;
  readonly #guard: AbrSession;
  readonly #guard_s: number;

  constructor(plan: AbrSession, guard: AbrSession, guard_s: number) {
    this.#plan = plan;
    this.#guard = guard;
    this.#guard_s = guard_s;
  }

  observe(event: AbrEvent): void {
    this.#plan.observe?.(event);
    this.#guard.observe?.(event);
  }

  choose(state: AbrState): AbrChoice {
    const planned = this.#plan.choose(state);
    if (state.buffer >= this.#guard_s) return planned;
    const guarded = this.#guard.choose(state);
    if (guarded.rung.bitrate_kbps >= planned.rung.bitrate_kbps) return planned;
    const { previous, buffer } = state;
    const isHeld =
      previous &&
      buffer > HOLD_FROM_S &&
      previous.bitrate_kbps > guarded.rung.bitrate_kbps &&
      previous.bitrate_kbps <= planned.rung.bitrate_kbps;
    return isHeld
      ? { rung: previous, reason: 'held above the guard' }
      : { rung: guarded.rung, reason: `guarded: ${guarded.reason}` };
  }

  requiredThroughput(state: AbrState, rung: Rung): Kbps {
    const session = state.buffer < Math.max(this.#guard_s, LEAST_PACE_FROM_S) ? this.#guard : this.#plan;
    return session.requiredThroughput(state, rung);
  }
}
