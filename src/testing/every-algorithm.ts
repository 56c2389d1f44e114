import type { AbrAlgorithm } from '../abr/abr.ts';
import * as entry from '../abr/index.ts';

/** Exports of `dashjs-sammy/abr` that are not algorithms: helpers for custom ones. */
export const ABR_HELPERS = ['kbps', 'lookahead', 'nextSegment', 'readTcpState'] as const;

/** The name under which `dashjs-sammy/abr` exports an algorithm. */
export type AlgorithmExport = Exclude<keyof typeof entry, (typeof ABR_HELPERS)[number]>;

/**
 * The exports of all algorithms. Tests, documentation and benchmarks use this list, so that a new algorithm is included in
 * all of them.
 */
export const algorithmExports = Object.keys(entry).filter(
  (name) => !ABR_HELPERS.some((helper) => helper === name),
) as AlgorithmExport[];

/** The algorithms without required options, with their defaults. Fugu and Pensieve need a model. */
export const everyAlgorithm: readonly AbrAlgorithm[] = algorithmExports.flatMap((name) => {
  const make: (...given: never[]) => AbrAlgorithm = entry[name];
  return make.length > 0 ? [] : [make()];
});
