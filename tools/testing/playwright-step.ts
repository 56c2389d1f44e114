import { inOneLine, type Counts } from './counts.ts';
import { inModules, reportStep, runNode, type Step } from './step.ts';

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs: readonly {
    readonly file: string;
    readonly title: string;
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      readonly results?: readonly { readonly error?: { readonly message?: string } }[];
      readonly annotations: readonly { readonly type: string; readonly description?: string }[];
    }[];
  }[];
}

interface Report {
  readonly suites: readonly Suite[];
}

const listTests = (
  suites: readonly Suite[],
): (Suite['specs'][number]['tests'][number] & { name: string })[] =>
  suites.flatMap(({ suites: inner = [], specs }) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests.map((test) => ({ ...test, name: `${file}: ${title}` })),
    ),
    ...listTests(inner),
  ]);

/** Returns the reason for a test's failure in one line: the error of its first failed attempt. */
const because = ({ results = [] }: Suite['specs'][number]['tests'][number]): string =>
  inOneLine(results.find(({ error }) => error?.message !== undefined)?.error?.message);

/** Reads Playwright's JSON report. */
export function playwrightCounts(report: string): Counts {
  const tests = listTests((JSON.parse(report) as Report).suites);
  const withStatus = (wanted: string) => tests.filter(({ status }) => status === wanted);
  const [failed, flaky, skipped] = [withStatus('unexpected'), withStatus('flaky'), withStatus('skipped')];
  return {
    passed: withStatus('expected').length + flaky.length,
    failed: failed.length,
    skipped: skipped.length,
    failures: failed.map(({ name }) => name),
    // Include the error of the failed attempt, because it is the only trace of the cause.
    flaky: flaky.map((test) => `${test.name}: ${because(test)}`),
    reasons: skipped.map(
      ({ name, annotations }) => annotations.find(({ type }) => type === 'skip')?.description ?? name,
    ),
  };
}

/** A step that runs the end-to-end tests of a project in playwright.config.ts: all, or those in `files`. */
export const playwrightStep = (project: string, workers: number, files: readonly string[] = []): Step =>
  reportStep(
    `end to end: ${project}`,
    (file, output) =>
      runNode(
        output,
        inModules('@playwright/test/cli.js'),
        ['test', ...files, `--project=${project}`, `--workers=${workers}`, '--reporter=list,json'],
        { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
      ),
    playwrightCounts,
  );
