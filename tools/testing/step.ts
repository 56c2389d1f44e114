import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onEndingSignal } from '../../system/ending-signals.ts';
import type { Counts } from './counts.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The destination of the output of a step's programs: this process's own output, or the descriptor of a file. */
export type Output = 'inherit' | number;

/** A verification step, such as lint or a group of tests. */
export interface Step {
  readonly name: string;
  run(output: Output): Promise<Counts>;
}

/** The path of a file in node_modules. */
export const inModules = (path: string): string => join(root, 'node_modules', path);

/** Runs a program in the project's root; resolves with its exit status. */
export function runProgram(
  output: Output,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
  });
  let asked = false;
  // Forward signals, because a signal may be sent to this process alone and not to its group.
  const forget = onEndingSignal((signal) => {
    asked = true;
    child.kill(signal);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      forget();
      if (asked) process.exit(1);
      resolve(status ?? 1);
    });
  });
}

export const runNode = (
  output: Output,
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> => runProgram(output, process.execPath, [script, ...args], env);

/** Returns a step for a program that passes or fails as a whole. */
export const programStep = (name: string, script: string, args: readonly string[]): Step => ({
  name,
  async run(output) {
    const status = await runNode(output, script, args);
    return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
  },
});

/** Returns a step for one of the project's own commands. */
export const commandStep = (name: string, ...args: string[]): Step =>
  programStep(name, join(root, 'tools/run.mjs'), args);

/**
 * Returns a step for a test runner that writes a report, from which `read` counts the tests. A run without a report
 * counts as one failure.
 */
export function reportStep(
  name: string,
  start: (reportFile: string, output: Output) => Promise<number>,
  read: (report: string) => Counts,
): Step {
  return {
    name,
    async run(output) {
      const directory = mkdtempSync(join(tmpdir(), 'dashjs-sammy-'));
      try {
        const file = join(directory, 'report');
        const status = await start(file, output);
        const counts = read(readFileSync(file, 'utf8'));
        // A runner can fail without a failed test: after an error outside of tests, or when it finds no tests.
        return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
      } catch (error) {
        console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        return { passed: 0, failed: 1, skipped: 0 };
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    },
  };
}
