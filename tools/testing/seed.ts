import { expect } from 'vitest';

// The seed and the number of cases are of vitest.config.ts, the same in all files of a run.

const { testPath } = expect.getState();
// In a DOM's environment Vitest does not always find a module of Node that is imported.
const { readFileSync } = process.getBuiltinModule('node:fs');
// Importing fast-check takes longer than most tests.
if (testPath !== undefined && readFileSync(testPath, 'utf8').includes("from 'fast-check'")) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({
    ...fc.readConfigureGlobal(),
    seed: Number(process.env.SEED),
    numRuns: Number(process.env.CASES),
  });
}
