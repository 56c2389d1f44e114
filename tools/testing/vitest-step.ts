import { spawnSync } from 'node:child_process';
import type { Counts } from './counts.ts';
import { COUNTS_FILE } from './counts-reporter.ts';
import { inModules, reportStep, runProgram, type Step } from './step.ts';

/**
 * Returns a step that runs tests with Vitest: whole projects, or only some files. As in the end-to-end tests, a test
 * that fails and passes when repeated is listed as flaky.
 */
export const vitestStep = (name: string, args: readonly string[] = []): Step => startedBy([], name, args);

/**
 * Returns a step for tests that create network interfaces. If possible, they run in a separate network namespace,
 * because a browser closes its connections when an interface appears or disappears in its own namespace
 * (ERR_NETWORK_CHANGED).
 */
export const vitestStepApart = (name: string, args: readonly string[]): Step =>
  startedBy(
    canUnshare() ? ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'] : [],
    name,
    args,
  );

const canUnshare = (): boolean =>
  spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0;

const startedBy = (words: readonly string[], name: string, args: readonly string[]): Step =>
  reportStep(
    name,
    (file, output) => {
      const reporters = ['--reporter=default', '--reporter=./tools/testing/counts-reporter.ts'];
      const vitest = [
        process.execPath,
        ...[inModules('vitest/vitest.mjs'), 'run', '--retry=1', ...args, ...reporters],
      ];
      const [program = '', ...rest] = [...words, ...vitest];
      return runProgram(output, program, rest, { [COUNTS_FILE]: file });
    },
    (report) => JSON.parse(report) as Counts,
  );
