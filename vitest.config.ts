import { defineConfig } from 'vitest/config';
import { testsByProject } from './tools/testing/projects.ts';

// Properties are tried with other inputs in every run: `SEED=N npx vitest run FILE` tries those of another again.
process.env.CASES ??= '1000';
if (process.env.SEED === undefined) {
  process.env.SEED = String(Math.floor(Math.random() * 2 ** 31));
  // Once, although every project reads this file.
  console.log(`properties: ${process.env.CASES} cases each, SEED=${process.env.SEED}`);
}

const tests = testsByProject(import.meta.dirname);

export default defineConfig({
  test: {
    // `npx vitest run --project pure`: what only computes, in a few processes that are not made anew for each file.
    projects: [
      { extends: true, test: { name: 'pure', include: tests.pure, isolate: false } },
      { extends: true, test: { name: 'process', include: tests.process } },
      { extends: true, test: { name: 'live', include: tests.live } },
    ],
    setupFiles: ['tools/testing/seed.ts'],
    // Two cores are shared with whatever else the machine does.
    maxWorkers: 2,
    // Times after which something hangs, and not how long something may take: a busy machine may be many times slower.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
