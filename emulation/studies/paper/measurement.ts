import type { Values } from './claims/evidence.ts';

/** The parameters of one measurement. */
export interface Measuring {
  /** The seed of all random numbers. Each seed is one independent repetition. */
  readonly seed: number;
  readonly quick: boolean;
  /** An empty folder for temporary files. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** A measurement that provides numbers for exhibits, for one seed at a time. */
export interface Measurement {
  /** The name of the measurement's evidence file, without `.json`. */
  readonly name: string;
  /** The subject and the place of the measurement, and the amount of data per seed. */
  readonly about: string;
  /** The processor time that one seed took, s. The estimate of a run's duration is the sum over all seeds. */
  readonly cost_s: { readonly quick: number; readonly full: number };
  readonly seeds: { readonly quick: number; readonly full: number };
  measure(measuring: Measuring): Promise<Values> | Values;
}
