import { OPPORTUNITY_BYTES } from '../links/traces.ts';
import type { Options, ValuesOf } from '../../system/command-line/command-line.ts';
import { list, numbers, numberUpTo, wholeNumber } from '../../system/command-line/parsers.ts';
import type { Asked } from './experiment.ts';
import { readShard } from './shard.ts';

/** The smallest queue, in which one packet fits. */
const LEAST_QUEUE_BYTES = OPPORTUNITY_BYTES;
/** A calibration cannot fill a link that loses more. */
const MOST_LOSS_PCT = 10;
const MOST_JITTER_MS = 10_000;
/** The shortest session, s. */
const LEAST_SECONDS = 5;

/** Options that experiments of several kinds have, as most of them mean them. */
export const EXPERIMENT_OPTIONS = {
  arms: {
    valueName: 'A,B',
    about:
      "only these; the first in the experiment's own order is the control. A@FILE, A@FILE#NAME: A with the constants of a file that 'search' wrote",
    parse: list,
  },
  conditions: { valueName: 'A,B', about: 'only these, in an experiment that has several', parse: list },
  runs: {
    valueName: 'N',
    about: "of each arm, instead of the experiment's own number",
    parse: wholeNumber(1),
  },
  seconds: { valueName: 'S', about: 'of each session', parse: wholeNumber(LEAST_SECONDS) },
  seed: {
    valueName: 'N',
    about: 'of the order of the runs and of the bootstrap (1)',
    parse: wholeNumber(0),
  },
  rate: {
    valueName: 'R',
    about:
      "of the link, instead of the experiment's own: Mbit/s (20), Mbit/s and seconds (40x30,5x20), or a mahimahi trace, by name or file; with --switch p4 also poisson:20, Mbit/s in the mean, of which each packet takes an exponentially distributed time",
  },
  rtt: { valueName: 'MS', about: 'of the link', parse: wholeNumber(0) },
  queue: { valueName: 'BYTES', about: 'of the link, drop-tail', parse: wholeNumber(LEAST_QUEUE_BYTES) },
  out: { valueName: 'DIR', about: 'where the results go (lab-results/EXPERIMENT)' },
  resume: { about: 'goes on with what DIR has, as it was asked for' },
  shard: {
    valueName: 'K/N',
    about: 'only the Kth of N parts of the plan, for one of N machines; merge puts them together',
    parse: readShard,
  },
} as const satisfies Options;

/** What only sessions in real time have. */
export const REAL_SESSION_OPTIONS = {
  switch: {
    valueName: 'S',
    about: "the link: mahimahi, or p4, which shows every packet's queue (mahimahi)",
  },
  edge: {
    valueName: 'E',
    about: "what serves the film: node, or nginx, from apt with this project's module (node)",
  },
  viewers: {
    valueName: 'V',
    about:
      "what plays it: chromium; or, without a browser and over the same TCP, light, the plug-in's core in a model of dash.js, or page, dash.js itself (chromium)",
  },
  loss: {
    valueName: 'PCT',
    about: 'of the link, random, each way, 0 to 10; with --switch p4 run k of every arm has the same seed',
    parse: numberUpTo(MOST_LOSS_PCT, '%'),
  },
  jitter: {
    valueName: 'MS',
    about: "of the link's delay, each way: uniformly up to so much more or less, in order (--switch p4)",
    parse: numberUpTo(MOST_JITTER_MS, 'ms'),
  },
  'drop-above': {
    valueName: 'N',
    about: 'the link drops packets that find more than N waiting (--switch p4)',
    parse: wholeNumber(1),
  },
  'mark-above': {
    valueName: 'N',
    about:
      'the link marks packets of ECN that find more than N waiting (--switch p4); clients ask for ECN then',
    parse: wholeNumber(1),
  },
  weights: {
    valueName: 'F,O',
    about:
      'the film has a queue of its own; it sends F full packets in turn with O of all others (--switch p4)',
    parse: numbers(/^[1-9]\d{0,2}$/, 'whole numbers from 1 to 999 such as 3,1'),
  },
  lanes: {
    valueName: 'N',
    about: 'so many runs at a time (1); each has a link of its own, but they share the processors',
    parse: wholeNumber(1),
  },
} as const satisfies Options;

/** What only flows through a queue have. */
export const FLOW_OPTIONS = {
  figures: { valueName: '3,5', about: 'only these', parse: numbers(/^\d{1,3}$/, 'numbers such as 3,5') },
  cc: {
    valueName: 'A,B',
    about: 'in the figures that compare congestion controls also these: vegas, which BPF loads',
    parse: list,
  },
  'drop-at': { valueName: 'END', about: "of the queue: front, as the paper's switch, or tail (front)" },
  burst: {
    valueName: 'N',
    about: 'packets that a sender may send back to back (1, at most 43; with --kernel 7, which is the most)',
    parse: wholeNumber(1),
  },
  buffer: { valueName: 'N', about: 'of the switch, in bandwidth-delay products (1)' },
  kernel: {
    valueName: 'V',
    about:
      "instead in virtual time, in seconds and without root: the paper's own link of 10 Gbit/s and 1 ms, and senders by the rules of Linux 5.5 (the paper's), 5.11 or 6.1",
  },
} as const satisfies Options;

/** The value of each option that an experiment of some kind has. */
export type ExperimentValues = ValuesOf<
  typeof EXPERIMENT_OPTIONS &
    typeof REAL_SESSION_OPTIONS &
    typeof FLOW_OPTIONS & { readonly quick: { readonly about: string } }
>;

/** What is asked of an experiment, of any kind, in the lab or simulated. */
export const askedOf = (values: ExperimentValues): Asked => ({
  arms: values.arms,
  conditions: values.conditions,
  runs: values.runs,
  seconds: values.seconds,
  lanes: values.lanes,
  switch: values.switch,
  edge: values.edge,
  viewers: values.viewers,
  rate: values.rate,
  figures: values.figures,
  congestion_controls: values.cc,
  quick: values.quick,
  rtt_ms: values.rtt,
  queue_bytes: values.queue,
  loss_pct: values.loss,
  jitter_ms: values.jitter,
  drop_above_packets: values['drop-above'],
  mark_above_packets: values['mark-above'],
  weights: values.weights,
  drop_at: values['drop-at'],
  burst_packets: values.burst,
  buffer_bdp: values.buffer,
  kernel: values.kernel,
});
