import { cellular, readTraces, type TracedLink } from '../links/trace-files/read-traces.ts';
import { readTrace } from '../links/traces.ts';
import type { Experiment } from '../runs/experiment.ts';
import { seededRandom } from '../statistics/random.ts';
import { sessionExperiment } from '../sessions/session-experiment.ts';
import type { Condition, SessionSettings } from '../session/session-settings.ts';
import { traceConditions } from './trace-conditions.ts';

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

/**
 * Compares the main arms on varying links, since elsewhere they are compared on a fast and steady one. Two arms show which
 * part of a difference is whose: stock dash.js without fast switch, which the plug-in's arms have off, and the plug-in
 * without a pace. `lowest` shows the stalls that could not be avoided.
 */
export const traces = sessionExperiment({
  name: 'traces',
  about: 'every cellular trace of mahimahi, both directions, arms paired by trace',
  figure: 'beyond the paper',
  arms: ['dashjs', 'dashjs-no-fast-switch', 'lowest', 'initial-only', 'sammy', 'sammy-smooth'],
  runs: 1,
  seconds: 120,
  link: cellular('Verizon-LTE-driving'),
  conditions: TRACES.map((trace): Condition => ({ name: trace, link: cellular(trace) })),
  paired: true,
});

export interface TracesAsked {
  /** A file or folder of traces; mahimahi's eight when not given. */
  readonly traces?: string | undefined;
  /** The number of places in each trace at which sessions begin; its beginning when not given. */
  readonly offsets?: number | undefined;
  readonly seed: number;
}

/** The experiment `traces` on other traces, or at several places of each. Throws an Error of one line for a bad trace. */
export async function tracesOn({ traces: path, offsets, seed }: TracesAsked): Promise<SessionSettings> {
  const { settings } = traces;
  const found = path === undefined ? await mahimahis() : await readTraces(path);
  const conditions = traceConditions(found, offsets, seededRandom(seed));
  const which = path === undefined ? settings.about : `the traces of ${path}, arms paired by trace`;
  const places = offsets === undefined ? '' : `, ${offsets} places of each`;
  return { ...settings, about: `${which}${places}`, conditions };
}

/** The experiment on given traces: a folder of other traces, or of other places in them, is not resumed. */
export const onlyOn = (
  { conditions = [] }: SessionSettings,
  experiment: Experiment<SessionSettings>,
): Experiment<SessionSettings> => ({
  ...experiment,
  plan(asked, before) {
    const known = new Set(conditions.map((condition) => JSON.stringify(condition)));
    if (before?.conditions?.some((condition) => !known.has(JSON.stringify(condition))))
      throw new Error(
        'the folder has results of other traces, --offsets or --seed; --resume without --traces goes on with those',
      );
    return experiment.plan(asked, before);
  },
});

/** The eight traces of mahimahi. Throws an Error of one line if its package is missing. */
export const mahimahis = (): Promise<TracedLink[]> =>
  Promise.all(
    TRACES.map(async (name) => {
      const link = cellular(name);
      const rate = { kind: 'trace', downlink: name, uplink: name } as const;
      return { name, link, duration_ms: (await readTrace(rate, 'downlink')).duration_ms };
    }),
  );
