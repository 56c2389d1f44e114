import { XMLParser } from 'fast-xml-parser';
import { pythonEnv } from '../../system/python.ts';
import { NO_TESTS, type Counts } from './counts.ts';
import { reportStep, runProgram, type Output, type Step } from './step.ts';

interface TestCase {
  readonly '@classname': string;
  readonly '@name': string;
  readonly failure?: unknown;
  readonly error?: unknown;
  readonly skipped?: { readonly '@message'?: string };
}

interface JUnit {
  readonly testsuites?: { readonly testsuite?: readonly { readonly testcase?: readonly TestCase[] }[] };
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  isArray: (name) => name === 'testsuite' || name === 'testcase',
});

/** Reads a report in JUnit's format. */
export function junitCounts(report: string): Counts {
  const { testsuites } = parser.parse(report) as JUnit;
  const cases = (testsuites?.testsuite ?? []).flatMap(({ testcase = [] }) => testcase);
  const failed = cases.filter((each) => each.failure !== undefined || each.error !== undefined);
  const skipped = cases.filter((each) => each.skipped !== undefined);
  return {
    passed: cases.length - failed.length - skipped.length,
    failed: failed.length,
    skipped: skipped.length,
    failures: failed.map((each) => `${each['@classname']}: ${each['@name']}`),
    reasons: skipped.map((each) => each.skipped?.['@message'] ?? each['@name']),
  };
}

/** Runs Python without threads of its own, because pytest uses as many processes as cores. */
const runPython = (output: Output, python: string, args: readonly string[]): Promise<number> =>
  runProgram(output, python, args, { ...pythonEnv(), OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' });

const missing = (name: string, { message }: Error): Step => ({
  name,
  run: () => Promise.resolve({ ...NO_TESTS, skipped: 1, reasons: [message] }),
});

/**
 * The steps for lint and tests of analysis/. `python` is a Python with all needed packages, or an Error that says what
 * is missing. `args` select the tests; tests marked `long` are not in the gate.
 */
export function pythonSteps(python: string | Error, args: readonly string[]): Step[] {
  const [lint, tests] = ['lint of analysis/', 'tests of analysis/'];
  if (python instanceof Error) return [missing(lint, python), missing(tests, python)];
  return [
    {
      name: lint,
      async run(output) {
        const ruff = (...words: string[]) => runPython(output, python, ['-m', 'ruff', ...words, 'analysis']);
        const passed =
          (await ruff('check', '--no-cache')) + (await ruff('format', '--no-cache', '--diff')) === 0;
        return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
      },
    },
    reportStep(
      tests,
      (file, output) =>
        runPython(output, python, [
          ...['-m', 'pytest', 'analysis', `--junitxml=${file}`, ...args],
          // Use as many processes as cores. An idle process takes over tests from another process.
          ...['--numprocesses=auto', '--dist=worksteal'],
        ]),
      junitCounts,
    ),
  ];
}
