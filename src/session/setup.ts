import type { AbrAlgorithm } from '../abr/abr.ts';
import { ALGORITHMS } from '../abr/algorithms.ts';
import type { SegmentSizes } from '../film/segments.ts';
import type { ResolvedOptions } from '../options.ts';
import { algorithm1 } from '../pace/algorithm-1.ts';
import { belowNetwork } from '../pace/below-network.ts';
import type { PacePolicy } from '../pace/pace.ts';
import { PLAYER_RULES } from './player-rules.ts';

/** The options, and the algorithm, policy and sizes that they select. */
export interface Setup {
  readonly options: ResolvedOptions;
  readonly algorithm: AbrAlgorithm;
  readonly policy: PacePolicy;
  /** The option `sizes`, or else the sidecar. */
  readonly sizes: SegmentSizes | undefined;
}

export function createSetup(options: ResolvedOptions): Setup {
  const { abr, pace, sizes, sidecar } = options;
  const sammy = algorithm1(options);
  return {
    options,
    algorithm: typeof abr === 'object' ? abr : abr === 'player' ? PLAYER_RULES : ALGORITHMS[abr],
    policy: typeof pace === 'object' ? pace : pace === 'sammy' ? sammy : belowNetwork(sammy),
    sizes: sizes ?? sidecar,
  };
}

/** Whether the algorithm and its options are the same. If so, the algorithm's session continues. */
export const sameAlgorithm = (a: ResolvedOptions, b: ResolvedOptions): boolean =>
  a.abr === b.abr && a.beta === b.beta && a.lookahead_s === b.lookahead_s;
