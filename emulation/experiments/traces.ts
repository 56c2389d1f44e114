import type { Link } from '../links/link.ts';
import { sessionExperiment } from '../sessions/session-experiment.ts';
import type { Condition } from './session-settings.ts';

/** The pairs of the package mahimahi-traces. */
const TRACES = [
  'ATT-LTE-driving',
  'ATT-LTE-driving-2016',
  'TMobile-LTE-driving',
  'TMobile-LTE-short',
  'TMobile-UMTS-driving',
  'Verizon-EVDO-driving',
  'Verizon-LTE-driving',
  'Verizon-LTE-short',
];

const cellular = (trace: string): Link => ({
  rate: { kind: 'trace', downlink: trace, uplink: trace },
  rtt_ms: 44,
  queue_bytes: 150_000,
});

/** Compares the main arms on varying links, since elsewhere they are compared on a fast and steady one. */
export const traces = sessionExperiment({
  name: 'traces',
  about: 'every cellular trace of mahimahi, both directions, arms paired by trace',
  figure: 'beyond the paper',
  arms: ['dashjs', 'sammy', 'sammy-smooth'],
  runs: 1,
  seconds: 120,
  link: cellular('Verizon-LTE-driving'),
  conditions: TRACES.map((trace): Condition => ({ name: trace, link: cellular(trace) })),
  paired: true,
});
