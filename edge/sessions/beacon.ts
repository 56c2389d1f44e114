import { demand } from '../../src/demand.ts';
import { isRecord } from '../../src/records.ts';
import { milliseconds, seconds, secondsToMilliseconds } from '../../src/units.ts';
import { assignSession, type EdgeExperiments } from '../experiments.ts';

/** The version of beacons and of the resulting rows, which analysis/ reads. */
const VERSION = 1;

/** The maximum number of metrics in a beacon; a session summary has 16. */
const MOST_METRICS = 64;

/** The largest value of a metric: a petabyte in bytes. Sums of such values are still finite. */
const MOST_VALUE = 1e15;

/** The longest time between a session's start and a beacon, s: a week. */
const LONGEST_S = 7 * 86_400;

/** The maximum number of beacons of a session: one per minute for a week. */
const MOST_BEACONS = LONGEST_S / 60;

/** The fixed columns of a row. Metrics must not have these names. */
export const COLUMNS = [
  'schema_version',
  'session_id',
  'unit',
  'experiment',
  'cluster',
  'arm',
  'allocation',
  'window',
  'washout',
  'started_at',
  'sequence',
  'final',
  'told_arm',
] as const;

/** A row of the stored sessions, with the fixed columns and one column for each metric. */
export type SessionRow = Readonly<Record<(typeof COLUMNS)[number], unknown>> &
  Readonly<Record<string, unknown>>;

/**
 * Converts a beacon, `{ version, session_id, unit, sequence, elapsed_s, final, arm, metrics }`, into a row. The edge
 * determines cluster, time and assignment; the arm that the player reports is stored as `told_arm`. Throws an Error
 * that describes what is invalid.
 */
export function readBeacon(text: string, experiments: EdgeExperiments): SessionRow {
  const beacon: unknown = JSON.parse(text);
  demand(isRecord(beacon), 'the beacon', beacon, 'an object');
  const { version, session_id, unit, sequence, elapsed_s, final, arm = null, metrics } = beacon;
  demand(version === VERSION, 'version', version, String(VERSION));
  demand(isText(session_id, /^[\w-]{16,64}$/), 'session_id', session_id, '16 to 64 letters, digits, - and _');
  demand(isText(unit, /^[\x20-\x7e]{1,200}$/), 'unit', unit, '1 to 200 characters of ASCII');
  demand(
    isWithin(sequence, MOST_BEACONS) && Number.isInteger(sequence),
    'sequence',
    sequence,
    'a whole number',
  );
  demand(isWithin(elapsed_s, LONGEST_S), 'elapsed_s', elapsed_s, `seconds from 0 to ${LONGEST_S}`);
  demand(typeof final === 'boolean', 'final', final, 'true or false');
  demand(arm === null || arm === 'control' || arm === 'treatment', 'arm', arm, 'control, treatment or null');
  const measured = readMetrics(metrics);
  const started = milliseconds(experiments.now() - secondsToMilliseconds(seconds(elapsed_s)));
  const assignment = assignSession(unit, experiments, started);
  return {
    schema_version: VERSION,
    session_id,
    unit,
    experiment: assignment?.experiment ?? null,
    cluster: experiments.cluster,
    arm: assignment?.arm ?? 'control',
    allocation: assignment?.allocation ?? 0,
    window: assignment?.window ?? null,
    washout: assignment?.washout ?? false,
    started_at: new Date(started).toISOString(),
    sequence,
    final,
    told_arm: arm,
    ...measured,
  };
}

const isText = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value);

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= most;

function readMetrics(metrics: unknown): Record<string, unknown> {
  demand(isRecord(metrics) && !Array.isArray(metrics), 'metrics', metrics, 'an object');
  const entries = Object.entries(metrics);
  demand(entries.length <= MOST_METRICS, 'metrics', entries.length, `at most ${MOST_METRICS} of them`);
  for (const [name, value] of entries) {
    const isOwn = (COLUMNS as readonly string[]).includes(name);
    demand(
      /^[a-z][a-z0-9_]{0,39}$/.test(name) && !isOwn,
      'a metric',
      name,
      'lower-case letters, digits and _',
    );
    const isNumber = typeof value === 'number' && Math.abs(value) <= MOST_VALUE;
    const isPlain = value === null || typeof value === 'boolean' || isNumber;
    demand(
      isPlain || isText(value, /^[\w-]{1,40}$/),
      `metrics.${name}`,
      value,
      `a number up to ${MOST_VALUE}, true, false, null or a word`,
    );
  }
  return Object.fromEntries(entries);
}
