import { cellular, readTraces, type TracedLink } from '../../network/links/trace-files/read-traces.ts';
import { readTrace } from '../../network/links/traces.ts';
import type { Options } from '../../../system/command-line/command-line.ts';
import { wholeNumber } from '../../../system/command-line/parsers.ts';
import { DEFAULT_SEED, type Study } from '../../harness/runs/study.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import { sessionStudy, type SessionStudy } from './session-study.ts';
import type { Condition, SessionSettings } from '../../player/records/session-settings.ts';
import { SESSION_OPTIONS } from '../../player/real-time/session-options.ts';
import { traceConditions } from './trace-conditions.ts';

/** The trace pairs that the package mahimahi-traces contains. */
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
 * Compares the main arms on varying links; other studies use a fast and steady link. Two arms help to attribute the
 * differences: stock dash.js without fast switch, because the plug-in's arms disable fast switch, and the plug-in
 * without a pace. `lowest` shows the stalls that no choice of rungs avoids.
 */
const own = sessionStudy({
  name: 'traces',
  about: 'every cellular trace of mahimahi, both directions, arms paired by trace',
  figure: 'beyond the paper',
  arms: ['dashjs', 'dashjs-no-fast-switch', 'lowest', 'initial-only', 'sammy-paper', 'sammy-smooth'],
  runs: 1,
  seconds: 120,
  link: cellular('Verizon-LTE-driving'),
  conditions: TRACES.map((trace): Condition => ({ name: trace, link: cellular(trace) })),
  paired: true,
});

export const TRACES_OPTIONS = {
  ...SESSION_OPTIONS,
  traces: {
    valueName: 'F',
    about: "a file or folder of traces (mahimahi's, or JSON Lines) instead of mahimahi's eight",
  },
  offsets: {
    valueName: 'N',
    about:
      'sessions begin at N positions of each trace, chosen by --seed (at its beginning); on a real link 20 s further on, when it is calibrated',
    parse: wholeNumber(1),
  },
} as const satisfies Options;

export const traces: Study<typeof TRACES_OPTIONS, SessionSettings> & Pick<SessionStudy, 'settings'> = {
  ...own,
  options: TRACES_OPTIONS,
  async plan(asked, before) {
    const { traces: path, offsets, seed = DEFAULT_SEED } = asked;
    if (path === undefined && offsets === undefined) return own.plan(asked, before);
    const settings = await tracesOn({ traces: path, offsets, seed });
    if (before) requireSame(settings, before);
    return sessionStudy(settings).plan(asked, before);
  },
};

export interface TracesAsked {
  /** A file or folder of traces; mahimahi's eight if not given. */
  readonly traces?: string | undefined;
  /** The number of positions in each trace at which sessions begin; the trace's beginning if not given. */
  readonly offsets?: number | undefined;
  readonly seed: number;
}

/**
 * Returns the settings of the experiment `traces` for other traces, or for several positions in each trace. Throws an
 * Error of one line for an invalid trace.
 */
export async function tracesOn({ traces: path, offsets, seed }: TracesAsked): Promise<SessionSettings> {
  const { settings } = own;
  const found = await readTraceSet({ traces: path ?? null });
  const conditions = traceConditions(found, offsets, seededRandom(seed));
  const which = path === undefined ? settings.about : `the traces of ${path}, arms paired by trace`;
  const places = offsets === undefined ? '' : `, ${offsets} start positions in each`;
  return { ...settings, about: `${which}${places}`, conditions };
}

/** Throws an Error of one line if the resumed folder has other traces, or other positions in the traces. */
function requireSame({ conditions = [] }: SessionSettings, before: SessionSettings): void {
  const known = new Set(conditions.map((condition) => JSON.stringify(condition)));
  if (before.conditions?.some((condition) => !known.has(JSON.stringify(condition))))
    throw new Error(
      'the folder has results of other traces, --offsets or --seed; --resume without --traces goes on with those',
    );
}

/** Reads the traces of a file or folder, or mahimahi's eight for null. */
export const readTraceSet = ({ traces: path }: { readonly traces: string | null }): Promise<TracedLink[]> =>
  path === null ? readMahimahiTraces() : readTraces(path);

/** The eight traces of mahimahi. Throws an Error of one line if its package is missing. */
export const readMahimahiTraces = (): Promise<TracedLink[]> =>
  Promise.all(
    TRACES.map(async (name) => {
      const link = cellular(name);
      const rate = { kind: 'trace', downlink: name, uplink: name } as const;
      return { name, link, duration_ms: (await readTrace(rate, 'downlink')).duration_ms };
    }),
  );
