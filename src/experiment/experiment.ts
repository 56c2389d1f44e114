import type { SammyOptions } from '../options.ts';
import type { Milliseconds } from '../units.ts';

export type Arm = 'control' | 'treatment';

/** The options that an arm gives the plug-in: those that a configuration file can express. */
export type ArmOptions = Omit<SammyOptions, 'sidecar' | 'sizes'>;

/**
 * How the allocation, which is the fraction of units that are treated, depends on the cluster and the time. A cluster is
 * a part of the network whose sessions share links with each other and with no session of another cluster (Unbiased
 * Experiments §4 and §5).
 */
export type Design =
  /** The same allocation everywhere and at all times: the A/B test. */
  | { readonly kind: 'ab'; readonly allocation: number }
  /** An allocation for each cluster, at the same time: the paired links of §4. */
  | { readonly kind: 'paired'; readonly allocations: Readonly<Record<string, number>> }
  /** Windows of time with a high and with a low allocation, §5.2. */
  | {
      readonly kind: 'switchback';
      readonly window: Milliseconds;
      /** The time from each window's begin on in which sessions still meet those of the window before. */
      readonly washout: Milliseconds;
      readonly low: number;
      readonly high: number;
    }
  /** A low allocation before a moment, and a high one from then on: the event study of §5.1. */
  | { readonly kind: 'event'; readonly at: Milliseconds; readonly low: number; readonly high: number };

/** An experiment, checked; `readExperiments` makes it of a configuration. Times are since 1970. */
export interface Experiment {
  readonly name: string;
  /** Two experiments with the same seed treat the same units first. */
  readonly seed: string;
  readonly design: Design;
  /** The clusters that take part; null for all. */
  readonly clusters: readonly string[] | null;
  readonly from: Milliseconds;
  readonly until: Milliseconds;
  readonly arms: Readonly<Record<Arm, ArmOptions>>;
}
