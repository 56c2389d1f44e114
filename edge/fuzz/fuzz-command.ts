import { parseArgs } from 'node:util';
import type { Outcomes } from './outcomes.ts';
import type { FuzzOptions } from './try-inputs.ts';

/** Runs a fuzzer with the options `--runs` and `--seed`, and prints the result. The exit status is 1 if an input failed. */
export async function fuzzCommand<Report extends { failures: readonly unknown[]; outcomes: Outcomes }>(
  fuzz: (options: FuzzOptions) => Promise<Report>,
  args: readonly string[],
): Promise<Report> {
  const { values } = parseArgs({
    args: [...args],
    options: { runs: { type: 'string' }, seed: { type: 'string' } },
  });
  const runs = Number(values.runs ?? 100_000);
  const seed = Number(values.seed ?? Date.now() % 1e9);
  if (!(runs >= 0) || !Number.isInteger(seed)) throw new Error('--runs and --seed expect whole numbers');
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
