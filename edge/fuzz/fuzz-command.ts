import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { wholeNumber } from '../../system/command-line/parsers.ts';
import type { Outcomes } from './outcomes.ts';
import type { FuzzOptions } from './try-inputs.ts';

const MOST = 1_000_000_000;

/** Defines the command line of `npm run fuzz -- NAME`. `usualRuns` is the default number of runs. */
export const fuzzCommandLine = (name: string, about: string, usualRuns: number) =>
  defineCommandLine({
    command: `npm run fuzz -- ${name}`,
    about: `${about} The exit status is 1 if an input failed.`,
    options: {
      runs: { valueName: 'N', about: `inputs (${usualRuns})`, parse: wholeNumber(0, MOST) },
      seed: { valueName: 'N', about: 'seed of the inputs (random)', parse: wholeNumber(0, MOST) },
    },
  });

const USUAL_RUNS = 100_000;
export const runFuzzer = (name: string, about: string) => fuzzCommandLine(name, about, USUAL_RUNS);

/** Runs a fuzzer, and prints the result. The exit status is 1 if an input failed. */
export async function fuzzCommand<Report extends { failures: readonly unknown[]; outcomes: Outcomes }>(
  fuzz: (options: FuzzOptions) => Promise<Report>,
  {
    runs = USUAL_RUNS,
    seed = Date.now() % MOST,
  }: { readonly runs?: number | undefined; readonly seed?: number | undefined },
): Promise<Report> {
  const began = performance.now();
  let lastSaid = began;
  const report = await fuzz({
    runs,
    seed,
    onProgress: (done) => {
      const now = performance.now();
      if (now - lastSaid < 5000 || done === 0) return;
      lastSaid = now;
      const left_s = (((now - began) / done) * (runs - done)) / 1000;
      console.error(`${done} of ${runs}, about ${left_s.toFixed(0)} s left`);
    },
  });
  const { failures, outcomes } = report;
  console.table(outcomes.counts);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const reached = outcomes.reachedPolicy;
  const raw = Number.isNaN(reached)
    ? ''
    : `; ${(reached * 100).toFixed(0)}% of the raw requests reached the policy`;
  console.log(`${runs} runs with seed ${seed} in ${seconds} s, ${failures.length} failures${raw}`);
  if (failures.length > 0) process.exitCode = 1;
  return report;
}
