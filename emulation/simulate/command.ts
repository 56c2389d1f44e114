import { join, resolve } from 'node:path';
import { experimentNamed } from '../experiments/index.ts';
import { printAnswer } from '../report/print-answer.ts';
import { DEFAULT_SEED, runExperiment } from '../runs/run-experiment.ts';
import { askedOf, EXPERIMENT_OPTIONS } from '../runs/asked.ts';
import { wholeNumber } from '../../system/command-line/parsers.ts';
import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { simulation } from './simulate.ts';

const { arms, conditions, runs, seconds, seed, rate, rtt, queue, resume } = EXPERIMENT_OPTIONS;

const commandLine = defineCommandLine({
  command: 'npm run lab -- simulate',
  usage: 'EXPERIMENT|--traces FILE|DIR [options]',
  about:
    "What 'run' does, in virtual time, with the plug-in's own core and a model of dash.js and TCP: seconds instead of hours, without root; 'validate' says how true it is.",
  maxPositionals: 1,
  options: {
    ...{ arms, conditions, runs, seconds, seed, rate, rtt, queue },
    out: { valueName: 'DIR', about: 'where the results go (lab-results/simulated/EXPERIMENT)' },
    resume,
    viewers: {
      valueName: 'V',
      about: 'what plays it: light, the model, or page, dash.js itself, which takes a second or two (light)',
    },
    jobs: { valueName: 'N', about: 'processes (1)', parse: wholeNumber(1) },
    traces: {
      valueName: 'F',
      about: 'instead of an experiment: a file or folder of traces, with their RTTs as they are',
    },
    offsets: {
      valueName: 'N',
      about: 'of traces: sessions begin at N places of each, chosen by --seed (at its beginning)',
      parse: wholeNumber(1),
    },
    forks: {
      about:
        'also writes what each paced request would have taken without its pace (unpaced.csv): the network is forked as it is then. export has it as unpaced.parquet, to judge predictions by',
    },
  },
});
export const { help } = commandLine;

/** The lab's words, runs and files, in virtual time. */
export async function main(args: readonly string[]): Promise<void> {
  const { positionals, values, command } = commandLine.parse(args);
  const [name] = positionals;
  const { traces, offsets, forks, jobs = 1, seed: drawn = DEFAULT_SEED } = values;
  const experiment = await simulation({
    experiment: name === undefined ? undefined : experimentNamed(name),
    ...{ traces, offsets, jobs, forks, seed: drawn },
  });
  const outDir = resolve(values.out ?? join('lab-results', 'simulated', experiment.name));
  await runExperiment(experiment, {
    asked: { ...askedOf(values), lanes: jobs, viewers: simulatedViewers(values.viewers) },
    seed: drawn,
    outDir,
    resume: values.resume ?? false,
    command,
  });
  printAnswer(outDir);
}

/** Throws an Error for those that need a link of the machine's. */
function simulatedViewers(name: string | undefined): string | undefined {
  if (name !== 'chromium') return name;
  throw new Error(
    "--viewers is 'chromium', which needs a real link; simulate has light, the model, and page",
  );
}
