import { defineConfig } from 'vitest/config';
import { readArea } from './areas.ts';

// Run few cases per property: all cases run again for every mutant, and more cases would not detect more mutants.
process.env.CASES = '50';
process.env.SEED ??= '20230910';

/** The unit tests of one area, in one project, because Stryker's runner knows no projects. */
export default defineConfig({
  test: {
    include: [...readArea().tests],
    exclude: ['**/node_modules/**', ...['live', 'long', 'isolated'].map((kind) => `**/*.${kind}.test.ts`)],
    setupFiles: ['tools/testing/seed.ts'],
    isolate: false,
    testTimeout: 60_000,
  },
});
