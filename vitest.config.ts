import { defineConfig } from 'vitest/config';

// Properties are tried with the same inputs in every run, so that a change is what makes a test fail; `npm run test:all` draws
// a seed. `SEED=N npx vitest run FILE` tries those of another run.
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

/** The suffix of a file's name decides in which project it runs: docs/internals/testing.md. */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        // One process runs many files, one after the other: no file changes what others share.
        test: {
          name: 'unit',
          include: tests(''),
          exclude: [...NOT_OURS, ...tests('.isolated', '.live', '.long')],
          isolate: false,
        },
      },
      // They change the process: the environment, timers, modules.
      { extends: true, test: { name: 'isolated', include: tests('.isolated'), exclude: NOT_OURS } },
      // They need something of the machine, and are skipped where it is missing.
      {
        extends: true,
        test: { name: 'live', include: tests('.live'), exclude: NOT_OURS },
      },
      // Full matrices, fuzzers, sweeps: `npm run test:all`.
      { extends: true, test: { name: 'long', include: tests('.long'), exclude: NOT_OURS } },
    ],
    setupFiles: ['tools/testing/seed.ts'],
    // Developers run the tests beside other work on two cores.
    maxWorkers: 2,
    // Times after which something hangs, and not how long something may take: a busy machine may be many times slower.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
