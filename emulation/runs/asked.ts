import { OPPORTUNITY_BYTES } from '../links/traces.ts';
import { numbersOf, numberUpTo, wholeNumber } from '../words/values.ts';
import type { Option, ValuesOf } from '../words/words.ts';
import type { Asked } from './experiment.ts';

/** The smallest queue, in which one packet fits. */
const LEAST_QUEUE_BYTES = OPPORTUNITY_BYTES;
/** A calibration cannot fill a link that loses more. */
const MOST_LOSS_PCT = 10;
const MOST_JITTER_MS = 10_000;

/** Options that experiments of several kinds have, as most of them mean them. */
export const EXPERIMENT_OPTIONS = {
  arms: {
    of: 'A,B',
    about:
      "only these; the first in the experiment's own order is the control. A@FILE, A@FILE#NAME: A with the constants of a file that 'search' wrote",
  },
  conditions: { of: 'A,B', about: 'only these, in an experiment that has several' },
  runs: { of: 'N', about: "of each arm, instead of the experiment's own number" },
  seconds: { of: 'S', about: 'of each session' },
  seed: { of: 'N', about: 'of the order of the runs and of the bootstrap (1)' },
  rate: {
    of: 'R',
    about:
      "of the link, instead of the experiment's own: Mbit/s (20), Mbit/s and seconds (40x30,5x20), or a mahimahi trace, by name or file; with --switch p4 also poisson:20, Mbit/s in the mean, of which each packet takes an exponentially distributed time",
  },
  rtt: { of: 'MS', about: 'of the link' },
  queue: { of: 'BYTES', about: 'of the link, drop-tail' },
  out: { of: 'DIR', about: 'where the results go (lab-results/EXPERIMENT)' },
  resume: { about: 'goes on with what DIR has, as it was asked for' },
  shard: {
    of: 'K/N',
    about: 'only the Kth of N parts of the plan, for one of N machines; merge puts them together',
  },
} as const satisfies Readonly<Record<string, Option>>;

/** The value of each option that an experiment of some kind has. */
export type ExperimentValues = ValuesOf<
  typeof EXPERIMENT_OPTIONS & { readonly quick: { readonly about: string } } & Record<
      | 'switch'
      | 'edge'
      | 'viewers'
      | 'loss'
      | 'jitter'
      | 'drop-above'
      | 'mark-above'
      | 'weights'
      | 'drop-at'
      | 'burst'
      | 'buffer'
      | 'kernel'
      | 'lanes'
      | 'figures'
      | 'cc',
      { readonly of: string; readonly about: string }
    >
>;

/** What is asked of an experiment, of any kind, in the lab or simulated. Throws an Error of one line for a bad value. */
export const askedOf = (values: ExperimentValues): Asked => ({
  arms: values.arms?.split(','),
  conditions: values.conditions?.split(','),
  runs: wholeNumber(values, 'runs', 1),
  seconds: wholeNumber(values, 'seconds', 5),
  lanes: wholeNumber(values, 'lanes', 1),
  switch: values.switch,
  edge: values.edge,
  viewers: values.viewers,
  rate: values.rate,
  figures: numbersOf(values, 'figures', /^\d{1,3}$/, 'numbers such as 3,5'),
  congestion_controls: values.cc?.split(','),
  quick: values.quick,
  rtt_ms: wholeNumber(values, 'rtt', 0),
  queue_bytes: wholeNumber(values, 'queue', LEAST_QUEUE_BYTES),
  loss_pct: numberUpTo(values, 'loss', '%', MOST_LOSS_PCT),
  jitter_ms: numberUpTo(values, 'jitter', 'ms', MOST_JITTER_MS),
  drop_above_packets: wholeNumber(values, 'drop-above', 1),
  mark_above_packets: wholeNumber(values, 'mark-above', 1),
  weights: numbersOf(values, 'weights', /^[1-9]\d{0,2}$/, 'whole numbers from 1 to 999 such as 3,1'),
  drop_at: values['drop-at'],
  burst_packets: wholeNumber(values, 'burst', 1),
  buffer_bdp: values.buffer,
  kernel: values.kernel,
});
