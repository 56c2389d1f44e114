import { expect, it } from 'vitest';
import { mutationCounts } from './mutation-step.ts';

const report = (counts: Readonly<Record<string, number>>): string =>
  JSON.stringify({
    files: Object.fromEntries(
      Object.entries(counts).map(([status, count]) => [
        `${status}.ts`,
        { mutants: Array.from({ length: count }, () => ({ status })) },
      ]),
    ),
  });

it('counts detected mutants and the others', () => {
  expect(
    mutationCounts(report({ Killed: 16, Timeout: 1, Survived: 2, NoCoverage: 1, RuntimeError: 5 })),
  ).toEqual({ passed: 17, failed: 0, skipped: 3, failures: [] });
});

it('fails if less than 85% of mutants are detected', () => {
  expect(mutationCounts(report({ Killed: 84, Survived: 16 }))).toEqual({
    passed: 84,
    failed: 1,
    skipped: 16,
    failures: ['84% of the mutants are found, expected 85%'],
  });
});
