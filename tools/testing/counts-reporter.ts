import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { inOneLine, type Counts } from './counts.ts';

/** The environment variable that names the file for the counts. */
export const COUNTS_FILE = 'COUNTS_FILE';

/** Writes results that Vitest's own reporters omit: the reasons of skipped tests, and the errors of flaky ones. */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const with_ = (state: string) => tests.filter((test) => test.result().state === state);
    const [passed, failed, skipped] = [with_('passed'), with_('failed'), with_('skipped')];
    // A file may fail outside of its tests.
    const broken = modules.filter(
      (module) => module.state() === 'failed' && !failed.some(matchesState(module)),
    );
    const counts: Counts = {
      passed: passed.length,
      failed: failed.length,
      skipped: skipped.length,
      failures: [...failed.map(testName), ...broken.map(testFile)],
      flaky: passed
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `${testName(test)}: ${inOneLine(test.result().errors?.[0]?.message)}`),
      reasons: skipped.map(skipReason),
    };
    writeFileSync(process.env[COUNTS_FILE] ?? 'counts.json', JSON.stringify(counts));
  }
}

const testFile = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId);
const testName = (test: TestCase): string => `${testFile(test.module)}: ${test.fullName}`;
const matchesState =
  (module: TestModule) =>
  (test: TestCase): boolean =>
    test.module === module;

/**
 * Returns the reason for which a test was skipped: the test's own note or, if a whole group was skipped, the name of
 * the group, which states the reason.
 */
function skipReason(test: TestCase): string {
  const result = test.result();
  if (result.state === 'skipped' && result.note !== undefined) return result.note;
  const [whole] = test.fullName.split(' > ');
  return `${testFile(test.module)}: ${whole}`;
}
