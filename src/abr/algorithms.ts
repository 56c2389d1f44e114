import type { AbrAlgorithm } from './abr.ts';
import { CAREFUL } from './careful.ts';
import { HYB } from './hyb.ts';

/**
 * The algorithms that the option `abr` accepts by name. The option's type, check and error message derive from this list.
 * Every application's bundle contains them; all other algorithms are passed as objects (index.ts).
 */
export const ALGORITHMS = { careful: CAREFUL, hyb: HYB } as const satisfies Readonly<
  Record<string, AbrAlgorithm>
>;

export type AbrName = keyof typeof ALGORITHMS;
