import { join, resolve } from 'node:path';
import { experimentNamed } from '../experiments/index.ts';
import { printAnswer } from '../report/print-answer.ts';
import { runExperiment } from '../runs/run-experiment.ts';
import { askedOf, EXPERIMENT_OPTIONS } from '../runs/asked.ts';
import { CUT_OFF_STATUS, wholeNumber } from '../words/values.ts';
import { wordsOf } from '../words/words.ts';
import { simulation } from './simulate.ts';

const { arms, conditions, runs, seconds, seed, rate, rtt, queue, resume } = EXPERIMENT_OPTIONS;

const words = wordsOf({
  action: 'simulate',
  takes: 'EXPERIMENT|--traces FILE|DIR [options]',
  about:
    "What 'run' does, in virtual time, with the plug-in's own core and a model of dash.js and TCP: seconds instead of hours, without root; 'validate' says how true it is.",
  subjects: 1,
  options: {
    ...{ arms, conditions, runs, seconds, seed, rate, rtt, queue },
    out: { of: 'DIR', about: 'where the results go (lab-results/simulated/EXPERIMENT)' },
    resume,
    viewers: {
      of: 'V',
      about: 'what plays it: light, the model, or page, dash.js itself, which takes a second or two (light)',
    },
    jobs: { of: 'N', about: 'processes (1)' },
    traces: {
      of: 'F',
      about: 'instead of an experiment: a file or folder of traces, with their RTTs as they are',
    },
    offsets: {
      of: 'N',
      about: 'of traces: sessions begin at N places of each, chosen by --seed (at its beginning)',
    },
    forks: {
      about:
        'also writes what each paced request would have taken without its pace (unpaced.csv): the network is forked as it is then. export has it as unpaced.parquet, to judge predictions by',
    },
  },
});
export const { help } = words;

/** The lab's words, runs and files, in virtual time. */
export async function main(args: readonly string[]): Promise<void> {
  const { subjects, values, command } = words.read(args);
  const [name] = subjects;
  const jobs = wholeNumber(values, 'jobs', 1) ?? 1;
  const seed = wholeNumber(values, 'seed', 0) ?? 1;
  const { traces } = values;
  const experiment = await simulation({
    experiment: name === undefined ? undefined : experimentNamed(name),
    traces,
    offsets: wholeNumber(values, 'offsets', 1),
    jobs,
    seed,
    forks: values.forks,
  });
  const outDir = resolve(values.out ?? join('lab-results', 'simulated', experiment.name));
  const result = await runExperiment(experiment, {
    asked: { ...askedOf(values), lanes: jobs, viewers: simulatedViewers(values.viewers) },
    seed,
    outDir,
    resume: values.resume ?? false,
    command,
  });
  if (result === 'cut off') process.exitCode = CUT_OFF_STATUS;
  printAnswer(outDir);
}

/** Throws an Error for those that need a link of the machine's. */
function simulatedViewers(name: string | undefined): string | undefined {
  if (name !== 'chromium') return name;
  throw new Error(
    "--viewers is 'chromium', which needs a real link; simulate has light, the model, and page",
  );
}
