import { join, resolve } from 'node:path';
import { experimentNamed } from '../experiments/index.ts';
import { printAnswer } from '../report/print-answer.ts';
import { runExperiment } from '../runs/run-experiment.ts';
import { askedOf, CUT_OFF_STATUS, wholeNumber, type Values } from '../words.ts';
import { simulation } from './simulate.ts';

/** `lab simulate`: the lab's words, runs and files, in virtual time. */
export async function simulate(name: string | undefined, values: Values, command: string): Promise<void> {
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
