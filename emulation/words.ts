import { parseArgs } from 'node:util';
import { lineOf } from '../system/line-of.ts';
import { OPPORTUNITY_BYTES } from './links/traces.ts';
import type { Asked } from './runs/experiment.ts';

const OPTIONS = {
  arms: { type: 'string' },
  conditions: { type: 'string' },
  runs: { type: 'string' },
  seconds: { type: 'string' },
  seed: { type: 'string' },
  switch: { type: 'string' },
  edge: { type: 'string' },
  viewers: { type: 'string' },
  rate: { type: 'string' },
  rtt: { type: 'string' },
  queue: { type: 'string' },
  loss: { type: 'string' },
  jitter: { type: 'string' },
  'drop-above': { type: 'string' },
  'mark-above': { type: 'string' },
  'drop-at': { type: 'string' },
  burst: { type: 'string' },
  buffer: { type: 'string' },
  kernel: { type: 'string' },
  weights: { type: 'string' },
  out: { type: 'string' },
  resume: { type: 'boolean' },
  shard: { type: 'string' },
  'mixed-commits': { type: 'boolean' },
  lanes: { type: 'string' },
  jobs: { type: 'string' },
  traces: { type: 'string' },
  offsets: { type: 'string' },
  forks: { type: 'boolean' },
  trials: { type: 'string' },
  quick: { type: 'boolean' },
  figures: { type: 'string' },
  cc: { type: 'string' },
  log: { type: 'boolean' },
  days: { type: 'string' },
  design: { type: 'string' },
  treatment: { type: 'string' },
  table: { type: 'boolean' },
  over: { type: 'string' },
  hours: { type: 'string' },
  'baseline-days': { type: 'string' },
  format: { type: 'string' },
  metrics: { type: 'string' },
  patience: { type: 'string' },
  'sessions-per-hour': { type: 'string' },
  'sessions-per-day': { type: 'string' },
  epochs: { type: 'string' },
  explored: { type: 'string' },
} as const;
type Option = keyof typeof OPTIONS;
export type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** The words of a command line of the lab. */
export interface Words {
  readonly action: Action;
  /** The experiment, or folders. */
  readonly subjects: readonly string[];
  readonly values: Values;
}

/** `run paper` runs all experiments instead of a single one. */
export const PAPER = 'paper';
/** The experiments that have a quick form, and options unlike all others'. */
const WITH_OWN_OPTIONS = [PAPER, 'buffer-paper', 'ab-lab'];
const HELP = 'npm run lab -- --help';
const NOT_OF_ONE_EXPERIMENT: readonly Option[] = [
  'drop-at',
  'burst',
  'buffer',
  'kernel',
  'trials',
  'quick',
  'figures',
  'cc',
  'log',
  'mixed-commits',
  'jobs',
  'forks',
  'days',
  'design',
  'treatment',
  'table',
  'over',
  'hours',
  'baseline-days',
  'format',
  'metrics',
  'patience',
  'sessions-per-hour',
  'sessions-per-day',
  'epochs',
  'explored',
];
const SIMULATED = [
  'arms',
  'conditions',
  'runs',
  'seconds',
  'seed',
  'rate',
  'rtt',
  'queue',
  'out',
  'resume',
] as const;

/** The smallest queue, in which one packet fits. */
const LEAST_QUEUE_BYTES = OPPORTUNITY_BYTES;
/** A calibration cannot fill a link that loses more. */
const MOST_LOSS_PCT = 10;
const MOST_JITTER_MS = 10_000;
/** The exit status after Ctrl-C, as in shells. */
export const CUT_OFF_STATUS = 130;

/** The most subjects of each action, and its options. */
const ACTIONS = {
  help: { subjects: 0, options: [] },
  list: { subjects: 0, options: [] },
  doctor: { subjects: 0, options: [] },
  run: {
    subjects: 1,
    options: (Object.keys(OPTIONS) as Option[]).filter((name) => !NOT_OF_ONE_EXPERIMENT.includes(name)),
  },
  'run buffer-paper': {
    subjects: 1,
    options: ['runs', 'seconds', 'seed', 'rate', 'rtt', 'out', 'resume', 'shard', 'quick', 'figures', 'cc'],
  },
  'run ab-lab': {
    subjects: 1,
    options: [
      ...(['conditions', 'runs', 'seconds', 'seed', 'rate', 'rtt', 'out', 'resume', 'shard'] as const),
      ...(['quick', 'drop-at', 'burst', 'buffer', 'kernel'] as const),
    ],
  },
  'run paper': { subjects: 1, options: ['out', 'resume', 'seed', 'quick'] },
  simulate: { subjects: 1, options: [...SIMULATED, 'viewers', 'jobs', 'traces', 'offsets', 'forks'] },
  search: { subjects: 0, options: ['traces', 'trials', 'jobs', 'seconds', 'seed', 'out', 'resume'] },
  world: {
    subjects: 0,
    options: [
      ...([
        'design',
        'treatment',
        'table',
        'runs',
        'days',
        'sessions-per-hour',
        'seed',
        'jobs',
        'out',
      ] as const),
      ...(['patience', 'over', 'hours', 'baseline-days', 'format', 'metrics', 'shard'] as const),
    ],
  },
  validate: { subjects: Infinity, options: ['out'] },
  trial: {
    subjects: 0,
    options: [
      ...(['arms', 'days', 'sessions-per-day', 'seconds', 'seed', 'traces', 'epochs', 'jobs'] as const),
      ...(['over', 'explored', 'out', 'resume', 'shard'] as const),
    ],
  },
  export: { subjects: 1, options: ['out'] },
  merge: { subjects: Infinity, options: ['out', 'mixed-commits'] },
  report: { subjects: 1, options: ['log'] },
  compare: { subjects: 2, options: [] },
} as const satisfies Record<string, { readonly subjects: number; readonly options: readonly Option[] }>;
type Action = keyof typeof ACTIONS;

const isAction = (word: string): word is Action => Object.hasOwn(ACTIONS, word);

/**
 * Throws an Error for an unknown action, and for words that the action would ignore: the user of `run single --quick`
 * would otherwise get a run of an hour.
 */
export function readWords(args: readonly string[]): Words {
  const { values, positionals } = parsed(args);
  const [word = 'help', ...subjects] = positionals;
  const own = WITH_OWN_OPTIONS.find((name) => word === 'run' && subjects[0] === name);
  const action = own === undefined ? word : `run ${own}`;
  if (!isAction(action)) {
    throw new Error(
      `unknown action '${word}'; known: list, doctor, run, simulate, search, world, trial, validate, export, merge, report, compare, buffer-rules; ${HELP}`,
    );
  }
  const allowed = ACTIONS[action];
  const options: readonly Option[] = allowed.options;
  const unexpected = subjects[allowed.subjects];
  if (unexpected !== undefined) throw new Error(`unexpected argument '${unexpected}'; ${HELP}`);
  const refused = (Object.keys(values) as Option[]).find((name) => !options.includes(name));
  if (refused !== undefined) {
    const has = options.map((name) => `--${name}`).join(', ') || 'no options';
    throw new Error(`${action} has no --${refused}; it has ${has}`);
  }
  // An empty --out would mean the present folder.
  const empty = (Object.keys(values) as Option[]).find((name) => values[name] === '');
  if (empty !== undefined) throw new Error(`--${empty} is empty; ${HELP}`);
  return { action, subjects, values };
}

/** `--rtt -1` as `--rtt=-1`, so that the option refuses its value: Node would call the option ambiguous. */
const negativesJoined = (args: readonly string[]): string[] =>
  args.reduce<string[]>((words, word) => {
    const before = words.at(-1);
    const negative = /^-[\d.]/.test(word) && before?.startsWith('--') && !before.includes('=');
    return negative ? [...words.slice(0, -1), `${before}=${word}`] : [...words, word];
  }, []);

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: negativesJoined(args), allowPositionals: true, options: OPTIONS });
  } catch (error) {
    // Only the first sentence of Node's message: the rest explains how to write words that begin with a dash.
    throw new Error(`${lineOf(error).replace(/\. .*|\.$/, '')}; ${HELP}`, { cause: error });
  }
}

type NumberOption =
  | 'jobs'
  | 'runs'
  | 'seconds'
  | 'seed'
  | 'lanes'
  | 'rtt'
  | 'queue'
  | 'drop-above'
  | 'mark-above'
  | 'burst'
  | 'offsets'
  | 'trials'
  | 'days'
  | 'baseline-days'
  | 'sessions-per-hour'
  | 'sessions-per-day'
  | 'epochs'
  | 'explored';

/** Reads an option; undefined if not given. Throws an Error if it is not a whole number from `least` to a million. */
export function wholeNumber(values: Values, name: NumberOption, least: number): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= 1_000_000) return value;
  throw new Error(`--${name} is '${text}', expected a whole number from ${least} to 1000000`);
}

/** Reads an option with decimals; undefined if not given. Throws an Error if it is not a number from 0 to `most`. */
function numberUpTo(values: Values, name: 'loss' | 'jitter', unit: string, most: number): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= most) return Number(text);
  throw new Error(`--${name} is '${text}', expected ${unit} from 0 to ${most}`);
}

function weightsOf(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,2}(,[1-9]\d{0,2})*$/.test(text))
    throw new Error(`--weights is '${text}', expected whole numbers from 1 to 999 such as 3,1`);
  return text.split(',').map(Number);
}

function numbersOf(text: string): number[] {
  if (!/^\d{1,3}(,\d{1,3})*$/.test(text))
    throw new Error(`--figures is '${text}', expected numbers such as 3,5`);
  return text.split(',').map(Number);
}

/** The options of an experiment that the lab and the simulator share. */
export const askedOf = (values: Values): Asked => ({
  arms: values.arms?.split(','),
  conditions: values.conditions?.split(','),
  runs: wholeNumber(values, 'runs', 1),
  seconds: wholeNumber(values, 'seconds', 5),
  rate: values.rate,
  figures: values.figures === undefined ? undefined : numbersOf(values.figures),
  congestion_controls: values.cc?.split(','),
  quick: values.quick,
  rtt_ms: wholeNumber(values, 'rtt', 0),
  queue_bytes: wholeNumber(values, 'queue', LEAST_QUEUE_BYTES),
  loss_pct: numberUpTo(values, 'loss', '%', MOST_LOSS_PCT),
  jitter_ms: numberUpTo(values, 'jitter', 'ms', MOST_JITTER_MS),
  drop_above_packets: wholeNumber(values, 'drop-above', 1),
  mark_above_packets: wholeNumber(values, 'mark-above', 1),
  weights: weightsOf(values.weights),
  drop_at: values['drop-at'],
  burst_packets: wholeNumber(values, 'burst', 1),
  buffer_bdp: values.buffer,
  kernel: values.kernel,
});
