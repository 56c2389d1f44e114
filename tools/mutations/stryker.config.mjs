// Stryker's configuration for the area that the environment names: mutation-step.ts.
import { tsImport } from 'tsx/esm/api';

const { readArea } = await tsImport('./areas.ts', import.meta.url);

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'tools/mutations/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  mutate: [...readArea().mutate, '!**/*.test.ts', '!**/testing/**'],
  // Folders that Stryker's copy of the project does not need.
  ignorePatterns: [
    '/docs',
    '/demo',
    '/media',
    '/emulation',
    '/buffers',
    '/transport',
    '/p4',
    '/analysis',
    '/models',
    '/test-results',
  ],
  concurrency: 1,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: process.env.MUTATIONS_FILE ?? 'test-results/mutations.json' },
  tempDirName: 'test-results/stryker',
};
