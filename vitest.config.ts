import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,edge,media,analysis,emulation,p4,system,tools,demo,bench}/**/*.test.ts'],
    // Two cores are shared with whatever else the machine does.
    maxWorkers: 2,
    testTimeout: 20_000,
  },
});
