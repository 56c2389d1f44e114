import type { Counts } from './counts.ts';
import { COUNTS_FILE } from './counts-reporter.ts';
import { inModules, reportStep, runNode, type Step } from './step.ts';

/** The tests that Vitest runs: those of the projects, or only some files of them. */
export const vitestStep = (name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Step =>
  reportStep(
    name,
    (file, output) =>
      runNode(
        output,
        inModules('vitest/vitest.mjs'),
        ['run', ...args, '--reporter=default', '--reporter=./tools/testing/counts-reporter.ts'],
        { ...env, [COUNTS_FILE]: file },
      ),
    (report) => JSON.parse(report) as Counts,
  );
