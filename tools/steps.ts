import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonEnv } from '../system/python.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A step of the verification, and the counts of its result. */
export interface Step {
  readonly name: string;
  run(): Promise<Counts>;
}

const bin = (path: string): string => join(root, 'node_modules', path);

/** Runs a program in the project's root with its output shown; resolves with the exit status. */
function runHere(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      resolve(status ?? 1);
    });
  });
}

const runNode = (script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> =>
  runHere(process.execPath, [script, ...args], env);

const runPythonHere = (python: string, args: readonly string[]): Promise<number> =>
  runHere(python, args, pythonEnv());

/** A step for a tool that passes or fails as a whole. */
const whole = (name: string, script: string, args: readonly string[]): Step => ({
  name,
  async run() {
    const status = await runNode(bin(script), args);
    return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
  },
});

/** A step for a test runner that writes a report, whose counts `read` finds. A run without a report counts as failed. */
function reported(
  name: string,
  start: (reportFile: string) => Promise<number>,
  read: (report: string) => Counts,
): Step {
  return {
    name,
    async run() {
      const directory = mkdtempSync(join(tmpdir(), 'dashjs-sammy-'));
      try {
        const file = join(directory, 'report');
        const status = await start(file);
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

export const quickSteps: readonly Step[] = [
  whole('format', 'prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']),
  whole('lint', 'eslint/bin/eslint.js', ['--max-warnings', '0', '.']),
  whole('types', 'typescript/bin/tsc', ['-p', 'tsconfig.json']),
  whole('types of the core, without DOM and Node', 'typescript/bin/tsc', ['-p', 'tsconfig.core.json']),
  reported(
    'unit tests',
    (file) =>
      runNode(bin('vitest/vitest.mjs'), [
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
      ]),
    (report) => {
      const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(report) as Record<
        string,
        number
      >;
      return { passed: numPassedTests ?? 0, failed: numFailedTests ?? 0, skipped: numPendingTests ?? 0 };
    },
  ),
];

/** The tests of one of the projects in playwright.config.ts. */
const endToEnd = (project: string, workers: number): Step =>
  reported(
    `end to end: ${project}`,
    (file) =>
      runNode(
        bin('@playwright/test/cli.js'),
        ['test', `--project=${project}`, `--workers=${workers}`, '--reporter=list,json'],
        { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
      ),
    (report) => {
      const { stats } = JSON.parse(report) as {
        stats: { expected: number; unexpected: number; flaky: number; skipped: number };
      };
      return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
    },
  );

export const endToEndSteps: readonly Step[] = [endToEnd('behaviour', 2), endToEnd('measured', 1)];

/** The tests of analysis/ by a Python that has what they need, or null where there is none. */
export const pythonSteps = (python: string | null): readonly Step[] => [
  {
    name: 'lint of analysis/',
    async run() {
      if (python === null) return { passed: 0, failed: 0, skipped: 1 };
      const ruff = (...args: string[]) => runPythonHere(python, ['-m', 'ruff', ...args, 'analysis']);
      const passed =
        (await ruff('check', '--no-cache')) + (await ruff('format', '--no-cache', '--diff')) === 0;
      return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
    },
  },
  python === null
    ? { name: 'tests of analysis/', run: () => Promise.resolve({ passed: 0, failed: 0, skipped: 1 }) }
    : reported(
        'tests of analysis/',
        (file) => runPythonHere(python, ['-m', 'pytest', 'analysis', `--junitxml=${file}`]),
        (report) => {
          const count = (name: string) =>
            Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(report)?.[1] ?? 0);
          const [failed, skipped] = [count('failures') + count('errors'), count('skipped')];
          return { passed: count('tests') - failed - skipped, failed, skipped };
        },
      ),
];

/** Runs all steps, also after one has failed, and prints the closing line. */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  let total: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const step of steps) {
    const { name } = step;
    const began = performance.now();
    console.log(`\n== ${name}`);
    const counts = await step.run();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`== ${name}: ${counts.failed === 0 ? 'passed' : 'FAILED'} (${seconds} s)`);
    total = {
      passed: total.passed + counts.passed,
      failed: total.failed + counts.failed,
      skipped: total.skipped + counts.skipped,
    };
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  if (total.failed > 0) process.exitCode = 1;
}
