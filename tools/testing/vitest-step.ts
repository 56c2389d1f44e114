import { spawnSync } from 'node:child_process';
import type { Counts } from './counts.ts';
import { COUNTS_FILE } from './counts-reporter.ts';
import { inModules, reportStep, runProgram, type Step } from './step.ts';

/**
 * The tests that Vitest runs: those of the projects, or only some files of them. As in the end-to-end tests, what passes when it
 * is tried again is listed as flaky.
 */
export const vitestStep = (name: string, args: readonly string[] = []): Step => startedBy([], name, args);

/**
 * The same where they make network interfaces, in a network namespace of their own where that can be made: a browser that
 * sees an interface come or go in its own ends its connections (ERR_NETWORK_CHANGED).
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
