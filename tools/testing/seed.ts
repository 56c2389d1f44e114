import { expect } from 'vitest';

/**
 * The properties of fast-check are tried with the same inputs in every run, so that a change is refused for what it
 * changes and not for what another seed would have found before it. `SEED=$RANDOM npx vitest run` looks for that.
 */
const SEED = Number(process.env.SEED ?? 20_261_122);

const { testPath } = expect.getState();
// In a DOM's environment Vitest does not always find a module of Node that is imported.
const { readFileSync } = process.getBuiltinModule('node:fs');
// Importing fast-check takes longer than most tests.
if (testPath !== undefined && readFileSync(testPath, 'utf8').includes("from 'fast-check'")) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
}
