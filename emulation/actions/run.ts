import { join, resolve } from 'node:path';
import { experimentNamed } from '../experiments/index.ts';
import { onlyOn, traces, tracesOn } from '../experiments/traces.ts';
import { isVirtual } from '../machine/is-virtual.ts';
import { MACHINE_OPTIONS, machinesAsked, type MachineValues } from '../machine/machine-options.ts';
import { abLabWords } from '../flows/allocations/words.ts';
import { bufferPaperWords } from '../flows/paper/words.ts';
import { PAPER, paperWords } from '../paper/words.ts';
import { askedOf, EXPERIMENT_OPTIONS, type ExperimentValues } from '../runs/asked.ts';
import type { Experiment } from '../runs/experiment.ts';
import { DEFAULT_SEED, runExperiment } from '../runs/run-experiment.ts';
import { readShard, shardFolder } from '../runs/shard.ts';
import { sessionExperiment } from '../sessions/session-experiment.ts';
import { CUT_OFF_STATUS, wholeNumber } from '../words/values.ts';
import { printOutcome } from './print-outcome.ts';
import { firstSubject, wordsOf, type Options, type ValuesOf } from '../words/words.ts';

const { arms, conditions, runs, seconds, seed, rate, rtt, queue, out, resume, shard } = EXPERIMENT_OPTIONS;

const sessionWords = wordsOf({
  action: 'run',
  takes: 'EXPERIMENT [options]',
  about:
    "Makes an experiment's runs and its report: a real browser behind a link that mahimahi emulates. Needs root, on Linux. 'list' names the experiments.",
  subjects: 1,
  options: {
    ...{ arms, conditions, runs, seconds, seed },
    switch: {
      of: 'S',
      about: "the link: mahimahi, or p4, which shows every packet's queue (mahimahi)",
    },
    edge: {
      of: 'E',
      about: "what serves the film: node, or nginx, from apt with this project's module (node)",
    },
    viewers: {
      of: 'V',
      about:
        "what plays it: chromium; or, without a browser and over the same TCP, light, the plug-in's core in a model of dash.js, or page, dash.js itself (chromium)",
    },
    ...{ rate, rtt, queue },
    loss: {
      of: 'PCT',
      about: 'of the link, random, each way, 0 to 10; with --switch p4 run k of every arm has the same seed',
    },
    jitter: {
      of: 'MS',
      about: "of the link's delay, each way: uniformly up to so much more or less, in order (--switch p4)",
    },
    'drop-above': { of: 'N', about: 'the link drops packets that find more than N waiting (--switch p4)' },
    'mark-above': {
      of: 'N',
      about:
        'the link marks packets of ECN that find more than N waiting (--switch p4); clients ask for ECN then',
    },
    weights: {
      of: 'F,O',
      about:
        'the film has a queue of its own; it sends F full packets in turn with O of all others (--switch p4)',
    },
    ...{ out, resume, shard },
    lanes: {
      of: 'N',
      about: 'so many runs at a time (1); each has a link of its own, but they share the processors',
    },
    traces: {
      of: 'F',
      about:
        "of 'traces': a file or folder of traces (mahimahi's, or JSON Lines) instead of mahimahi's eight",
    },
    ...MACHINE_OPTIONS,
    offsets: {
      of: 'N',
      about:
        "of 'traces': sessions begin at N places of each trace, chosen by --seed (at its beginning); in the lab 20 s further on, when the link is calibrated",
    },
  },
});

/** What a virtual machine has instead of a browser and of mahimahi, which do not run in it, unless they are asked for. */
function virtualized(asked: RunValues): RunValues {
  const { viewers = 'page', switch: bottleneck = 'p4' } = asked;
  if (viewers === 'chromium' || bottleneck !== 'p4')
    throw new Error(
      'no Chromium and no mahimahi run in a virtual machine: it has --viewers page or light, and --switch p4',
    );
  return { ...asked, viewers, switch: bottleneck };
}

/** The experiments that have a quick form, and options unlike all others'. */
const WITH_OWN_WORDS = { [PAPER]: paperWords, 'buffer-paper': bufferPaperWords, 'ab-lab': abLabWords };
const ALL_WORDS = [sessionWords, ...Object.values(WITH_OWN_WORDS)];
const ALL_OPTIONS: Options = Object.fromEntries(ALL_WORDS.flatMap(({ options }) => Object.entries(options)));

export const help = ALL_WORDS.map((each) => each.help).join('\n\n\n');

export async function main(args: readonly string[]): Promise<void> {
  const name = firstSubject(args, ALL_OPTIONS);
  if (name === PAPER) {
    const { values, command } = paperWords.read(args);
    return runThePaper(values, command);
  }
  const own = name === 'buffer-paper' || name === 'ab-lab' ? WITH_OWN_WORDS[name] : sessionWords;
  const { values, command } = own.read(args);
  if (name === undefined) throw new Error('run: which experiment? npm run lab -- list names them');
  if (!('machine' in own.options)) return runNamed(name, values, command);
  const { machine, kernel, jobs, ...asked } = values as RunValues & MachineValues;
  const machines = machinesAsked({ machine, kernel, jobs });
  return machines === undefined
    ? runNamed(name, asked, command)
    : runInMachines(name, machines, { asked, command, args });
}

/** In machines whose clock is virtual; this process may be in one of them already. */
async function runInMachines(
  name: string,
  machines: NonNullable<ReturnType<typeof machinesAsked>>,
  { asked, command, args }: { asked: RunValues; command: string; args: readonly string[] },
): Promise<void> {
  const experiment = await experimentOf(name, asked);
  const values = 'settings' in experiment ? virtualized(asked) : asked;
  if (isVirtual()) return runNamed(name, values, command);
  // What is wrong is said before a machine is built.
  await experiment.plan(askedOf(values));
  const { runVirtually } = await import('./run-virtually.ts');
  const { prepareOutside } = await import('../sessions/prepare-outside.ts');
  process.exitCode = await runVirtually({
    ...machines,
    args,
    command,
    outDir: resolve(values.out ?? join('lab-results', name)),
    prepare: (print) => prepareOutside(values.edge, print),
  });
}

async function runThePaper(
  { out: folder, quick = false, resume: goesOn = false, ...values }: ValuesOf<typeof paperWords.options>,
  command: string,
): Promise<void> {
  const { runPaper } = await import('../paper/run-paper.ts');
  const outDir = resolve(folder ?? join('lab-results', PAPER));
  const result = await runPaper({
    outDir,
    quick,
    resume: goesOn,
    seed: wholeNumber(values, 'seed', 0),
    command,
  });
  if (result === 'cut off') process.exitCode = CUT_OFF_STATUS;
  console.log(`${outDir}/tables, ${outDir}/figures; npm run lab -- report ${outDir} --log`);
}

async function runNamed(name: string, values: RunValues, command: string): Promise<void> {
  const part = values.shard === undefined ? undefined : readShard(values.shard);
  const outDir = resolve(values.out ?? join('lab-results', shardFolder(name, part)));
  const drawn = wholeNumber(values, 'seed', 0);
  const experiment = await experimentOf(name, values, drawn);
  const result = await runExperiment(experiment, {
    asked: askedOf(values),
    seed: drawn,
    shard: part,
    outDir,
    resume: values.resume ?? false,
    command,
  });
  if (result === 'cut off') process.exitCode = CUT_OFF_STATUS;
  await printOutcome(outDir, experiment);
}

type RunValues = ExperimentValues & Pick<ValuesOf<typeof sessionWords.options>, 'traces' | 'offsets'>;

/** An experiment by its name, or `traces` on traces of one's own. */
async function experimentOf(name: string, values: RunValues, drawn = DEFAULT_SEED): Promise<Experiment> {
  const experiment = experimentNamed(name);
  const asked = { traces: values.traces, offsets: wholeNumber(values, 'offsets', 1), seed: drawn };
  if (asked.traces === undefined && asked.offsets === undefined) return experiment;
  if (name !== traces.name)
    throw new Error(`experiment ${name} has links of its own; --traces and --offsets are of ${traces.name}`);
  const settings = await tracesOn(asked);
  return onlyOn(settings, sessionExperiment(settings));
}
