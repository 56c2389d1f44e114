import type { SammyOptions } from '../options.ts';
import type { Milliseconds } from '../units.ts';

export type Arm = 'control' | 'treatment';

/** The plug-in's options of an arm. Options that a configuration file cannot express are excluded. */
export type ArmOptions = Omit<SammyOptions, 'sidecar' | 'sizes'>;

/**
 * How the allocation, the fraction of treated units, depends on the cluster and the time. A cluster is a part of the network
 * whose sessions share links only with each other (Unbiased Experiments in Congested Networks, §4 and §5).
 */
export type Design =
  /** The same allocation in all clusters and at all times: an A/B test. */
  | { readonly kind: 'ab'; readonly allocation: number }
  /** One allocation per cluster, at the same time: the paired links of §4. */
  | { readonly kind: 'paired'; readonly allocations: Readonly<Record<string, number>> }
  /** Alternating windows of high and low allocation, §5.2. */
  | {
      readonly kind: 'switchback';
      readonly window: Milliseconds;
      /** The period at the start of each window in which sessions may still overlap with those of the previous window. */
      readonly washout: Milliseconds;
      readonly low: number;
      readonly high: number;
    }
  /** A low allocation before a moment, and a high allocation afterwards: the event study of §5.1. */
  | { readonly kind: 'event'; readonly at: Milliseconds; readonly low: number; readonly high: number };

/** A validated experiment, created by `readExperiments` from a configuration. Times are since 1970. */
export interface Experiment {
  readonly name: string;
  /** Experiments with the same seed treat the same units first. */
  readonly seed: string;
  readonly design: Design;
  /** The participating clusters; null for all. */
  readonly clusters: readonly string[] | null;
  readonly from: Milliseconds;
  readonly until: Milliseconds;
  readonly arms: Readonly<Record<Arm, ArmOptions>>;
}
