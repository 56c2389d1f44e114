import type { Values } from './claims/evidence.ts';

/** The parameters of one measurement. */
export interface Measuring {
  /** The seed of all random numbers; another seed is another repetition. */
  readonly seed: number;
  readonly quick: boolean;
  /** An empty folder for its files, which are removed afterwards. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** A measurement for one seed at a time, which provides numbers for exhibits. */
export interface Measurement {
  /** The name of its evidence file. */
  readonly name: string;
  /** The subject and the place of the measurement, and the data of one seed. */
  readonly about: string;
  /** The measured processor time of one seed, s; the estimate of the total is the sum. */
  readonly cost_s: { readonly quick: number; readonly full: number };
  /** The number of repetitions. */
  readonly seeds: { readonly quick: number; readonly full: number };
  measure(measuring: Measuring): Promise<Values> | Values;
}
