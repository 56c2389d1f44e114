import { demand } from '../demand.ts';
import { isRecord } from '../records.ts';
import { milliseconds, seconds, secondsToMilliseconds, type Milliseconds } from '../units.ts';
import type { ArmOptions, Design, Experiment } from './experiment.ts';

/** The fields that all designs share. */
const COMMON = ['name', 'seed', 'design', 'clusters', 'from', 'until', 'control', 'treatment'];

const FIELDS: Readonly<Record<Design['kind'], readonly string[]>> = {
  ab: ['allocation'],
  paired: ['allocations'],
  switchback: ['window_s', 'washout_s', 'low', 'high'],
  event: ['at', 'low', 'high'],
};
const KINDS: readonly Design['kind'][] = ['ab', 'paired', 'switchback', 'event'];

/**
 * The default allocations: nearly no units and nearly all units, as in Unbiased Experiments in Congested Networks (§4).
 * The few units in the other arm show the spillover.
 */
const LOW = 0.05;
const HIGH = 0.95;

/**
 * Validates a configuration: `{ "version": 1, "experiments": [...] }`. Throws an Error that names an invalid field, its
 * value and the valid values, or two experiments that apply to the same cluster at the same time. `checkOptions` throws
 * an Error for options that the plug-in would reject. A page need not pass it, because the plug-in checks its options
 * anyway.
 */
export function readExperiments(
  configuration: unknown,
  checkOptions: (options: ArmOptions) => unknown = () => undefined,
): readonly Experiment[] {
  demand(isRecord(configuration), 'the configuration', configuration, 'an object');
  const { version, experiments, ...rest } = configuration;
  demand(version === 1, 'version', version, '1');
  demand(Array.isArray(experiments), 'experiments', experiments, 'a list');
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new Error(`unknown field ${unknown}; known: version, experiments`);
  const read = experiments.map((experiment, index) =>
    readExperiment(`experiments[${index}]`, experiment, checkOptions),
  );
  for (const [index, one] of read.entries()) {
    for (const other of read.slice(0, index)) refuseOverlap(other, one);
  }
  return read;
}

function readExperiment(
  at: string,
  given: unknown,
  checkOptions: (options: ArmOptions) => unknown,
): Experiment {
  demand(isRecord(given), at, given, 'an object');
  const { name, design: kind, seed = name, clusters = null, control = {}, treatment } = given;
  demand(isLabel(name), `${at}.name`, name, LABEL);
  demand(KINDS.includes(kind as never), `${at}.design`, kind, `'${KINDS.join("', '")}'`);
  const known = [...COMMON, ...FIELDS[kind as Design['kind']]];
  const unknown = Object.keys(given).find((field) => !known.includes(field));
  if (unknown !== undefined) throw new Error(`${at}: unknown field ${unknown}; known: ${known.join(', ')}`);
  demand(typeof seed === 'string', `${at}.seed`, seed, 'text');
  const isList = Array.isArray(clusters) && clusters.length > 0 && clusters.every(isLabel);
  demand(clusters === null || isList, `${at}.clusters`, clusters, 'a list of names');
  const from = readTime(`${at}.from`, given.from);
  const until = given.until === undefined ? milliseconds(Infinity) : readTime(`${at}.until`, given.until);
  demand(until > from, `${at}.until`, given.until, `a time after ${String(given.from)}`);
  return {
    name,
    seed,
    design: readDesign(at, kind as Design['kind'], given, from, until),
    clusters: kind === 'paired' ? Object.keys(given.allocations as object) : clusters,
    from,
    until,
    arms: {
      control: readArm(`${at}.control`, control, checkOptions),
      treatment: readArm(`${at}.treatment`, treatment, checkOptions),
    },
  };
}

type Given = Readonly<Record<string, unknown>>;

function readDesign(
  at: string,
  kind: Design['kind'],
  given: Given,
  from: Milliseconds,
  until: Milliseconds,
): Design {
  if (kind === 'ab') return { kind, allocation: readFraction(`${at}.allocation`, given.allocation) };
  if (kind === 'paired') {
    const { allocations, clusters } = given;
    demand(clusters === undefined, `${at}.clusters`, clusters, 'none: the allocations name them');
    demand(
      isRecord(allocations) && !Array.isArray(allocations),
      `${at}.allocations`,
      allocations,
      'an object',
    );
    const names = Object.keys(allocations);
    demand(
      names.length >= 2 && names.every(isLabel),
      `${at}.allocations`,
      names,
      'two clusters or more, by name',
    );
    for (const name of names) readFraction(`${at}.allocations.${name}`, allocations[name]);
    return { kind, allocations: { ...allocations } as Record<string, number> };
  }
  const { low: lowest = LOW, high: highest = HIGH } = given;
  const [low, high] = [readFraction(`${at}.low`, lowest), readFraction(`${at}.high`, highest)];
  demand(low < high, `${at}.low`, low, `less than high, which is ${high}`);
  if (kind === 'event') {
    const moment = readTime(`${at}.at`, given.at);
    demand(moment > from && moment < until, `${at}.at`, given.at, 'a time after from and before until');
    return { kind, at: moment, low, high };
  }
  const window = readDuration(`${at}.window_s`, given.window_s, 1, 31 * 86_400);
  const washout = readDuration(`${at}.washout_s`, given.washout_s ?? 0, 0, 31 * 86_400);
  demand(washout < window, `${at}.washout_s`, given.washout_s, 'less than window_s');
  return { kind, window, washout, low, high };
}

/** Names are used in headers and file names. */
const LABEL = '1 to 64 letters, digits, points, colons, hyphens and underscores';
const isLabel = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w.:-]{1,64}$/.test(value);

/** Requires a time zone, because a date or time without one would depend on the reader's zone. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

function readTime(field: string, value: unknown): Milliseconds {
  const isTime = typeof value === 'string' && TIME.test(value) && isDay(value.slice(0, 10));
  // oxlint-disable-next-line no-restricted-globals -- it reads text, and no clock
  const time = isTime ? Date.parse(value) : NaN;
  demand(Number.isFinite(time), field, value, "a time with its zone, such as '2026-11-22T00:00Z'");
  return milliseconds(time);
}

/** Whether the month has that day. Some runtimes read February 30 as March 2, others reject that date. */
function isDay(date: string): boolean {
  // oxlint-disable-next-line no-restricted-globals -- it reads text, and no clock
  const read = new Date(`${date}T00:00Z`);
  return Number.isFinite(read.getTime()) && read.toISOString().startsWith(date);
}

function readFraction(field: string, value: unknown): number {
  demand(typeof value === 'number' && value >= 0 && value <= 1, field, value, 'a fraction from 0 to 1');
  return value;
}

function readDuration(field: string, value: unknown, least: number, most: number): Milliseconds {
  const holds = typeof value === 'number' && value >= least && value <= most;
  demand(holds, field, value, `seconds from ${least} to ${most}`);
  return secondsToMilliseconds(seconds(value));
}

function readArm(at: string, options: unknown, checkOptions: (options: ArmOptions) => unknown): ArmOptions {
  const isObject = isRecord(options) && !Array.isArray(options);
  demand(isObject, at, options, 'an object with options of the plug-in');
  const unfit = ['sidecar', 'sizes'].find((name) => Object.hasOwn(options, name));
  if (unfit !== undefined)
    throw new Error(`${at}: option ${unfit} describes one video and cannot be set for an arm`);
  if (options.abr === 'player' && options.max_bitrate_kbps !== undefined)
    throw new Error(`${at}: option max_bitrate_kbps has no effect with abr 'player'`);
  try {
    checkOptions(options);
  } catch (error) {
    throw new Error(`${at}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return options;
}

function refuseOverlap(one: Experiment, other: Experiment): void {
  if (one.name === other.name) throw new Error(`two experiments have the name ${one.name}`);
  if (one.until <= other.from || other.until <= one.from) return;
  const [first, second] = [one.clusters ?? other.clusters, other.clusters ?? one.clusters];
  const shared = first?.find((name) => second?.includes(name));
  if (first !== null && shared === undefined) return;
  const where = shared === undefined ? 'every cluster' : `cluster ${shared}`;
  throw new Error(
    `experiments ${one.name} and ${other.name} overlap in ${where}; a session can have only one arm`,
  );
}
