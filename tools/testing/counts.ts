import { stripVTControlCharacters } from 'node:util';

/** The result of a verification step, in numbers of tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The names of the tests that failed. */
  readonly failures?: readonly string[];
  /** The tests that failed once and passed when repeated, each with its error. They count as passed. */
  readonly flaky?: readonly string[];
  /** The reasons for skipped tests, one for each test. */
  readonly reasons?: readonly string[];
}

export const NO_TESTS: Counts = { passed: 0, failed: 0, skipped: 0 };

export const addCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...(a.failures ?? []), ...(b.failures ?? [])],
  flaky: [...(a.flaky ?? []), ...(b.flaky ?? [])],
  reasons: [...(a.reasons ?? []), ...(b.reasons ?? [])],
});

/** Joins the first lines of a test's error message to one line. */
export const inOneLine = (message = ''): string =>
  stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, 4)
    .join(' ');
