/** The package's entry `dashjs-sammy/planner`: the planner with the package's model, which needs no configuration. */
import { latePlanner } from './abr/fugu/late-planner.ts';
import type { AbrAlgorithm } from './abr/abr.ts';
import type { PacePolicy } from './pace/pace.ts';

/**
 * Fugu, guarded by the default algorithm: `planner()` of `dashjs-sammy/abr` with the package's model. Pass the returned
 * object as `abr` and as `pace`. The planner and its model are a separate chunk, loaded when 8 s are buffered. The
 * default algorithm chooses until then, and also if the chunk cannot be loaded or two choices in a row take more than 5
 * ms each. The decision's `abr_reason` names the cause.
 */
export const planner = (): AbrAlgorithm & PacePolicy =>
  latePlanner({
    load: async () => (await import('./planner-chunk.ts')).plannerWithModel,
    now: () => performance.now(),
  });

export type { AbrAlgorithm, AbrSession } from './abr/abr.ts';
export type { PacePolicy } from './pace/pace.ts';
