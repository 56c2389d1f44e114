import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addCounts, NO_TESTS, type Counts } from './counts.ts';
import type { Output, Step } from './step.ts';

/** Steps that run one after the other. */
export type Lane = readonly Step[];
/** Lanes that run at the same time. */
export type Stage = readonly [Lane, ...Lane[]];

interface Result {
  readonly counts: Counts;
  /** The duration of each step, in the order in which the steps ended. */
  readonly took: readonly { readonly name: string; readonly seconds: number }[];
}

async function runLane(steps: Lane, output: Output): Promise<Result> {
  const say = (line: string): void => {
    if (output === 'inherit') console.log(line);
    else writeSync(output, `${line}\n`);
  };
  let counts = NO_TESTS;
  const took = [];
  for (const step of steps) {
    const { name } = step;
    const began = performance.now();
    say(`\n== ${name}`);
    const result = await step.run(output);
    const seconds = (performance.now() - began) / 1000;
    took.push({ name, seconds });
    say(`== ${name}: ${result.failed === 0 ? 'passed' : 'FAILED'} (${seconds.toFixed(1)} s)`);
    const named = (tests: readonly string[] = []) => tests.map((test) => `${name}: ${test}`);
    const failures = named(result.failures);
    counts = addCounts(counts, {
      ...result,
      // If a failed step lists no failed tests, list the step itself.
      failures: failures.length === 0 && result.failed > 0 ? [name] : failures,
      flaky: named(result.flaky),
    });
  }
  return { counts, took };
}

/**
 * Runs a lane with its output in a file, and prints the file when the lane has ended, so that lanes do not mix their
 * output.
 */
async function runAside(steps: Lane): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'dashjs-sammy-'));
  const file = join(directory, 'output');
  const output = openSync(file, 'w');
  try {
    return await runLane(steps, output);
  } finally {
    closeSync(output);
    process.stdout.write(readFileSync(file));
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns each reason once, with the number of tests skipped for it, the most frequent first. */
function countedReasons(reasons: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count}: ${reason}`);
}

const list = (title: string, lines: readonly string[] = []): string[] =>
  lines.length > 0 ? [`\n${title}:\n${lines.map((line) => `- ${line}`).join('\n')}`] : [];

/**
 * Returns the end of a run's output: durations of the steps, skipped tests, flaky tests, failures, and the closing
 * line.
 */
export function closingLines({ counts, took }: Result): string[] {
  return [
    ...list(
      'Seconds',
      took.map(({ name, seconds }) => `${seconds.toFixed(0)}: ${name}`),
    ),
    ...list('Skipped', countedReasons(counts.reasons ?? [])),
    ...list('Flaky (passed when tried again; each is a defect)', counts.flaky),
    // Failures come last, for readers who look only at the end of a long output.
    ...list('Failed', counts.failures),
    `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
  ];
}

/**
 * Runs the stages one after the other, even after a failed step, and prints the closing lines. The first lane of a
 * stage shows its output immediately, and the others when they have ended. A failure sets the exit status to 1.
 */
export async function runStages(stages: readonly Stage[]): Promise<Counts> {
  let counts = NO_TESTS;
  const took: Result['took'][number][] = [];
  for (const [shown, ...aside] of stages)
    for (const result of await Promise.all([runLane(shown, 'inherit'), ...aside.map(runAside)])) {
      counts = addCounts(counts, result.counts);
      took.push(...result.took);
    }
  for (const line of closingLines({ counts, took })) console.log(line);
  if (counts.failed > 0) process.exitCode = 1;
  return counts;
}
