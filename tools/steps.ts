import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onEndingSignal } from '../system/ending-signals.ts';
import { pythonEnv } from '../system/python.ts';
import { COUNTS_FILE, type Counts } from './testing/counts-reporter.ts';
import { testsByProject } from './testing/projects.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Where a step's programs write: this process's own output, or the descriptor of a file. */
type Output = 'inherit' | number;

/** A step of the verification, and the counts of its result. */
export interface Step {
  readonly name: string;
  run(output: Output): Promise<Counts>;
}

/** Steps that run one after the other. The lanes of a stage run side by side. */
export type Lane = readonly Step[];

const bin = (path: string): string => join(root, 'node_modules', path);

/** Runs a program in the project's root with its output shown; resolves with the exit status. */
function runHere(
  output: Output,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
  });
  let asked = false;
  // Whoever ends this process, and not all of its group, means the steps, too.
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

const runNode = (
  output: Output,
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> => runHere(output, process.execPath, [script, ...args], env);

const runPythonHere = (output: Output, python: string, args: readonly string[]): Promise<number> =>
  runHere(output, python, args, pythonEnv());

/** A step for a tool that passes or fails as a whole. */
const whole = (name: string, script: string, args: readonly string[]): Step => ({
  name,
  async run(output) {
    const status = await runNode(output, bin(script), args);
    return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
  },
});

/** A step that is one of the project's own commands. */
const command = (name: string, ...args: string[]): Step => ({
  name,
  async run(output) {
    const status = await runNode(output, join(root, 'tools/run.mjs'), args);
    return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
  },
});

/** The site of the documentation, which takes a minute: a page that does not render, or a link to none, fails it. */
export const siteStep = command('the site builds', 'docs:build');
/** What a release would publish, of the plug-in as it is built: a few seconds. */
export const releaseStep = command('a release, dry', 'release', '--dry', '--built');

/** A step for a test runner that writes a report, whose counts `read` finds. A run without a report counts as failed. */
function reported(
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

/** Unit tests: all of them, or those of some files. */
const vitest = (name: string, files: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Step =>
  reported(
    name,
    (file, output) =>
      runNode(
        output,
        bin('vitest/vitest.mjs'),
        ['run', ...files, '--reporter=default', '--reporter=./tools/testing/counts-reporter.ts'],
        { ...env, [COUNTS_FILE]: file },
      ),
    (report) => JSON.parse(report) as Counts,
  );

/** The properties, with ten times the cases and the time that they have in `npm test`. */
export function propertySteps(): Lane {
  const files = Object.values(testsByProject(root))
    .flat()
    .filter((file) => readFileSync(join(root, file), 'utf8').includes("from 'fast-check'"));
  return [vitest('properties, 10,000 cases each', [...files, '--testTimeout=3600000'], { CASES: '10000' })];
}

export const quickSteps: Lane = [
  // What has not changed since it passed is not read again; what lint says of a file depends on others, so it has no cache.
  whole('format', 'prettier/bin/prettier.cjs', [
    ...['--check', '--log-level', 'warn', '--cache', '--cache-strategy', 'content', '.'],
  ]),
  whole('lint', 'eslint/bin/eslint.js', ['--max-warnings', '0', '.']),
  whole('types', 'typescript/bin/tsc', [
    ...['-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', bin('.cache/types.tsbuildinfo')],
  ]),
  whole('types of the core, without DOM and Node', 'typescript/bin/tsc', ['-p', 'tsconfig.core.json']),
  {
    name: 'snippets of the documentation',
    async run() {
      const [{ checkSnippets }, { markdownFiles }] = await Promise.all([
        import('./snippets/check-snippets.ts'),
        import('./snippets/read-snippets.ts'),
      ]);
      const { problems, checked } = checkSnippets(markdownFiles(root), root);
      for (const problem of problems) console.error(problem);
      return { passed: checked - problems.length, failed: problems.length, skipped: 0 };
    },
  },
  vitest('unit tests'),
];

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly file: string;
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly status: string;
      readonly annotations: readonly { readonly type: string; readonly description?: string }[];
    }[];
  }[];
}

interface PlaywrightReport {
  readonly stats: Readonly<Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>>;
  readonly suites: readonly PlaywrightSuite[];
}

const failedSpecs = (suites: readonly PlaywrightSuite[]): string[] =>
  suites.flatMap(({ suites: inner = [], specs }) => [
    ...specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`),
    ...failedSpecs(inner),
  ]);

const skippedBecause = (suites: readonly PlaywrightSuite[]): string[] =>
  suites.flatMap(({ suites: inner = [], specs }) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'skipped')
        .map(
          ({ annotations }) =>
            annotations.find(({ type }) => type === 'skip')?.description ?? `${file}: ${title}`,
        ),
    ),
    ...skippedBecause(inner),
  ]);

/** The tests of one of the projects in playwright.config.ts. */
const endToEnd = (project: string, workers: number): Step =>
  reported(
    `end to end: ${project}`,
    (file, output) =>
      runNode(
        output,
        bin('@playwright/test/cli.js'),
        ['test', `--project=${project}`, `--workers=${workers}`, '--reporter=list,json'],
        { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
      ),
    (report) => {
      const { stats, suites } = JSON.parse(report) as PlaywrightReport;
      return {
        passed: stats.expected,
        failed: stats.unexpected + stats.flaky,
        skipped: stats.skipped,
        failures: failedSpecs(suites),
        reasons: skippedBecause(suites),
      };
    },
  );

/** What waits for playback, and for most of its time for nothing else. */
export const waitingSteps: Lane = [endToEnd('behaviour', 2)];
/** What measures throughput, which anything that runs at the same time would disturb. */
export const measuringSteps: Lane = [endToEnd('measured', 1)];

/** The tests of analysis/ by a Python that has what they need, or the Error that says what is lacking. */
export const pythonSteps = (python: string | Error): Lane => [
  {
    name: 'lint of analysis/',
    async run(output) {
      if (python instanceof Error) return { ...NONE, skipped: 1, reasons: [python.message] };
      const ruff = (...args: string[]) => runPythonHere(output, python, ['-m', 'ruff', ...args, 'analysis']);
      const passed =
        (await ruff('check', '--no-cache')) + (await ruff('format', '--no-cache', '--diff')) === 0;
      return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
    },
  },
  python instanceof Error
    ? {
        name: 'tests of analysis/',
        run: () => Promise.resolve({ ...NONE, skipped: 1, reasons: [python.message] }),
      }
    : reported(
        'tests of analysis/',
        (file, output) =>
          runPythonHere(output, python, [
            ...['-m', 'pytest', 'analysis', `--junitxml=${file}`],
            // As many processes as cores; a process that has nothing left takes tests from another.
            ...['--numprocesses=auto', '--dist=worksteal'],
          ]),
        (report) => {
          const count = (name: string) =>
            Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(report)?.[1] ?? 0);
          const [failed, skipped] = [count('failures') + count('errors'), count('skipped')];
          // An error of a fixture or of an import stands in a testcase as well.
          const failures = [
            ...report.matchAll(/<testcase classname="([^"]*)" name="([^"]*)"[^>]*><(?:failure|error)/g),
          ].map(([, file, test]) => `${file}: ${test}`);
          const reasons = [...report.matchAll(/<skipped [^>]*message="([^"]*)"/g)].map(([, why = '']) => why);
          return { passed: count('tests') - failed - skipped, failed, skipped, failures, reasons };
        },
      ),
];

const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };

async function runLane(steps: Lane, output: Output): Promise<Counts> {
  const say = (line: string): void => {
    if (output === 'inherit') console.log(line);
    else writeSync(output, `${line}\n`);
  };
  let total = NONE;
  for (const step of steps) {
    const { name } = step;
    const began = performance.now();
    say(`\n== ${name}`);
    const counts = await step.run(output);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    say(`== ${name}: ${counts.failed === 0 ? 'passed' : 'FAILED'} (${seconds} s)`);
    const { failures = [] } = counts;
    // A step that tells no names is itself what failed.
    const told =
      failures.length === 0 && counts.failed > 0 ? [name] : failures.map((test) => `${name}: ${test}`);
    total = sum(total, { ...counts, failures: told });
  }
  return total;
}

const sum = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...(a.failures ?? []), ...(b.failures ?? [])],
  reasons: [...(a.reasons ?? []), ...(b.reasons ?? [])],
});

/** Each reason once, with how many tests it has skipped, from the most on. */
function countedReasons(reasons: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count}: ${reason}`);
}

/** Runs a lane with its output in a file, which is shown when the lane has ended, so that lanes do not talk at once. */
async function runAside(steps: Lane): Promise<Counts> {
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

/**
 * Runs the stages one after the other, also after a step has failed, and prints why tests were skipped, what failed, and the
 * closing line. The first lane of a stage shows what it does; the others show it when they have ended.
 */
export async function runStages(stages: readonly (readonly [Lane, ...Lane[]])[]): Promise<void> {
  let total = NONE;
  for (const [shown, ...aside] of stages)
    for (const counts of await Promise.all([runLane(shown, 'inherit'), ...aside.map(runAside)]))
      total = sum(total, counts);
  if (total.reasons?.length)
    console.log(
      `\nSkipped:\n${countedReasons(total.reasons)
        .map((line) => `- ${line}`)
        .join('\n')}`,
    );
  // Last, where whoever reads only the end of a long output finds it.
  if (total.failures?.length)
    console.log(`\nFailed:\n${total.failures.map((test) => `- ${test}`).join('\n')}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  if (total.failed > 0) process.exitCode = 1;
}
