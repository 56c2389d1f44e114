import type { AbrAlgorithm } from './abr.ts';
import { CAREFUL } from './careful.ts';
import { HYB } from './hyb.ts';

/**
 * The algorithms that the option `abr` takes by name: its type, its check and its error text are made of this list.
 * Each is in every application's bundle; the others are passed as objects (index.ts).
 */
export const ALGORITHMS = { careful: CAREFUL, hyb: HYB } as const satisfies Readonly<
  Record<string, AbrAlgorithm>
>;

export type AbrName = keyof typeof ALGORITHMS;
