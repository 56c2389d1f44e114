import { join, resolve } from 'node:path';
import { experimentNamed } from '../experiments/index.ts';
import { onlyOn, traces, tracesOn } from '../experiments/traces.ts';
import { isVirtual } from '../machine/is-virtual.ts';
import { MACHINE_OPTIONS, machinesAsked, type MachineValues } from '../machine/machine-options.ts';
import { abLabWords } from '../flows/allocations/words.ts';
import { bufferPaperWords } from '../flows/paper/words.ts';
import { PAPER, paperWords } from '../paper/words.ts';
import { askedOf, EXPERIMENT_OPTIONS, REAL_SESSION_OPTIONS, type ExperimentValues } from '../runs/asked.ts';
import type { Experiment } from '../runs/experiment.ts';
import { DEFAULT_SEED, runExperiment } from '../runs/run-experiment.ts';
import { shardFolder } from '../runs/shard.ts';
import { sessionExperiment } from '../sessions/session-experiment.ts';
import { wholeNumber } from '../../system/command-line/parsers.ts';
import { printOutcome } from './print-outcome.ts';
import {
  firstPositional,
  defineCommandLine,
  type Options,
  type ValuesOf,
} from '../../system/command-line/command-line.ts';

const { arms, conditions, runs, seconds, seed, rate, rtt, queue, out, resume, shard } = EXPERIMENT_OPTIONS;
const { switch: bottleneck, edge, viewers, loss, jitter, weights, lanes } = REAL_SESSION_OPTIONS;
const { 'drop-above': dropAbove, 'mark-above': markAbove } = REAL_SESSION_OPTIONS;

const sessionWords = defineCommandLine({
  command: 'npm run lab -- run',
  usage: 'EXPERIMENT [options]',
  about:
    "Makes an experiment's runs and its report: a real browser behind a link that mahimahi emulates. Needs root, on Linux. 'list' names the experiments.",
  maxPositionals: 1,
  options: {
    ...{ arms, conditions, runs, seconds, seed },
    ...{ switch: bottleneck, edge, viewers },
    ...{ rate, rtt, queue },
    ...{ loss, jitter, 'drop-above': dropAbove, 'mark-above': markAbove, weights },
    ...{ out, resume, shard },
    lanes,
    traces: {
      valueName: 'F',
      about:
        "of 'traces': a file or folder of traces (mahimahi's, or JSON Lines) instead of mahimahi's eight",
    },
    ...MACHINE_OPTIONS,
    offsets: {
      valueName: 'N',
      about:
        "of 'traces': sessions begin at N places of each trace, chosen by --seed (at its beginning); in the lab 20 s further on, when the link is calibrated",
      parse: wholeNumber(1),
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
  const name = firstPositional(args, ALL_OPTIONS, 'npm run lab -- run');
  if (name === PAPER) {
    const { values, command } = paperWords.parse(args);
    return runThePaper(values, command);
  }
  const own = name === 'buffer-paper' || name === 'ab-lab' ? WITH_OWN_WORDS[name] : sessionWords;
  const { values, command } = own.parse(args);
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
  { out: folder, quick = false, resume: goesOn = false, seed: drawn }: ValuesOf<typeof paperWords.options>,
  command: string,
): Promise<void> {
  const { runPaper } = await import('../paper/run-paper.ts');
  const outDir = resolve(folder ?? join('lab-results', PAPER));
  await runPaper({
    outDir,
    quick,
    resume: goesOn,
    seed: drawn,
    command,
  });
  console.log(`${outDir}/tables, ${outDir}/figures; npm run lab -- report ${outDir} --log`);
}

async function runNamed(name: string, values: RunValues, command: string): Promise<void> {
  const { shard: part, seed: drawn } = values;
  const outDir = resolve(values.out ?? join('lab-results', shardFolder(name, part)));
  const experiment = await experimentOf(name, values, drawn);
  await runExperiment(experiment, {
    asked: askedOf(values),
    seed: drawn,
    shard: part,
    outDir,
    resume: values.resume ?? false,
    command,
  });
  await printOutcome(outDir, experiment);
}

type RunValues = ExperimentValues & Pick<ValuesOf<typeof sessionWords.options>, 'traces' | 'offsets'>;

/** An experiment by its name, or `traces` on traces of one's own. */
async function experimentOf(name: string, values: RunValues, drawn = DEFAULT_SEED): Promise<Experiment> {
  const experiment = experimentNamed(name);
  const asked = { traces: values.traces, offsets: values.offsets, seed: drawn };
  if (asked.traces === undefined && asked.offsets === undefined) return experiment;
  if (name !== traces.name)
    throw new Error(`experiment ${name} has links of its own; --traces and --offsets are of ${traces.name}`);
  const settings = await tracesOn(asked);
  return onlyOn(settings, sessionExperiment(settings));
}
