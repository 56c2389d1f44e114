import { defineConfig } from 'vitest/config';

// Property-based tests use the same inputs in every run, so that only a change of the code can make a test fail. `npm
// run test:all` draws a random seed. `SEED=N npx vitest run FILE` repeats the inputs of such a run.
process.env.CASES ??= '250';
process.env.SEED ??= '20230910';

const NOT_OURS = [
  '**/node_modules/**',
  '**/test-results/**',
  '**/dist/**',
  '**/bin/**',
  '**/pkg/**',
  'docs/.vitepress/cache/**',
];
const tests = (...endings: string[]): string[] => endings.map((ending) => `**/*${ending}.test.ts`);

/** The suffix of a file's name determines the project in which it runs: docs/internals/testing.md. */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        // One process runs many files, one after the other, because no file changes shared state.
        test: {
          name: 'unit',
          include: tests(''),
          exclude: [...NOT_OURS, ...tests('.isolated', '.live', '.long')],
          isolate: false,
        },
      },
      // These tests change the process: the environment, timers, modules.
      { extends: true, test: { name: 'isolated', include: tests('.isolated'), exclude: NOT_OURS } },
      // These tests need special features of the machine, and are skipped if a feature is missing.
      {
        extends: true,
        test: { name: 'live', include: tests('.live'), exclude: NOT_OURS },
      },
      // Full matrices, fuzzers and sweeps, for `npm run test:all`.
      { extends: true, test: { name: 'long', include: tests('.long'), exclude: NOT_OURS } },
    ],
    setupFiles: ['tools/testing/seed.ts'],
    // Developers run the tests beside other work on two cores.
    maxWorkers: 2,
    // These timeouts detect tests that hang. They are not limits of performance: a busy machine may be many times
    // slower. `npm run test:all` has 10,000 cases a property.
    testTimeout: 60_000 * Math.max(1, Number(process.env.CASES) / 2500),
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
