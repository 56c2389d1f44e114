import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{src,edge,media,analysis,emulation,p4,system,tools,demo,bench}/**/*.test.ts',
      'docs/.vitepress/**/*.test.ts',
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
