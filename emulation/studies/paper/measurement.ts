import type { Values } from './claims/evidence.ts';

/** What a measurement is told. */
export interface Measuring {
  /** Of all that is drawn; another seed is another repetition. */
  readonly seed: number;
  readonly quick: boolean;
  /** An empty folder for its files, which are removed afterwards. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Something that is measured once for each seed, and from which exhibits take their numbers. */
export interface Measurement {
  /** Of its evidence file. */
  readonly name: string;
  /** What is measured, where, and what one seed has. */
  readonly about: string;
  /** Processor time of one seed, s, as measured; the estimate of the whole is their sum. */
  readonly cost_s: { readonly quick: number; readonly full: number };
  /** How many repetitions there are. */
  readonly seeds: { readonly quick: number; readonly full: number };
  measure(measuring: Measuring): Promise<Values> | Values;
}
