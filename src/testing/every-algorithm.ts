import type { AbrAlgorithm } from '../abr/abr.ts';
import * as entry from '../abr/index.ts';

/** What `dashjs-sammy/abr` exports besides algorithms, for those who write their own. */
export const ABR_HELPERS = ['kbps', 'lookahead', 'nextSegment', 'readTcpState'] as const;

/** The name under which `dashjs-sammy/abr` exports an algorithm. */
export type AlgorithmExport = Exclude<keyof typeof entry, (typeof ABR_HELPERS)[number]>;

/** Every algorithm by its export: what is tested, documented and measured is this list, so a new one cannot be forgotten. */
export const algorithmExports = Object.keys(entry).filter(
  (name) => !ABR_HELPERS.some((helper) => helper === name),
) as AlgorithmExport[];

/** Those that need no option, with their defaults. Fugu needs its model. */
export const everyAlgorithm: readonly AbrAlgorithm[] = algorithmExports.flatMap((name) => {
  const make: (...given: never[]) => AbrAlgorithm = entry[name];
  return make.length > 0 ? [] : [make()];
});
