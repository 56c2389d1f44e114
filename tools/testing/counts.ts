import { stripVTControlCharacters } from 'node:util';

/** The result of a step of the verification, in tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The names of the tests that failed. */
  readonly failures?: readonly string[];
  /** The names of the tests that failed once and passed when they were tried again. They count as passed. */
  readonly flaky?: readonly string[];
  /** Why tests were skipped, once for each. */
  readonly reasons?: readonly string[];
}

export const NO_TESTS: Counts = { passed: 0, failed: 0, skipped: 0 };

/** Adds up two results. */
export const addCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...(a.failures ?? []), ...(b.failures ?? [])],
  flaky: [...(a.flaky ?? []), ...(b.flaky ?? [])],
  reasons: [...(a.reasons ?? []), ...(b.reasons ?? [])],
});

/** The first lines of what a test failed of, as one. */
export const inOneLine = (message = ''): string =>
  stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, 4)
    .join(' ');
