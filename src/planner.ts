/** The package's entry `dashjs-sammy/planner`: the planner with the package's model, which needs no configuration. */
import { latePlanner } from './abr/fugu/late-planner.ts';
import type { AbrAlgorithm } from './abr/abr.ts';
import type { PacePolicy } from './pace/pace.ts';

/**
 * Fugu's plan under the guard of the default algorithm, as `planner()` of `dashjs-sammy/abr`, with the package's model. Pass
 * the returned object as `abr` and as `pace`. The planner and its model are a chunk of their own, loaded when 8 s are
 * buffered. Until then, and wherever the chunk cannot be loaded or two choices in a row take more than 5 ms each, the default
 * algorithm chooses; the decision's `abr_reason` says so.
 */
export const planner = (): AbrAlgorithm & PacePolicy =>
  latePlanner({
    load: async () => (await import('./planner-chunk.ts')).plannerWithModel,
    now: () => performance.now(),
  });

export type { AbrAlgorithm, AbrSession } from './abr/abr.ts';
export type { PacePolicy } from './pace/pace.ts';
