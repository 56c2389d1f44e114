import fc from 'fast-check';

// Use the seed and the number of cases from vitest.config.ts, which are the same for all files of a run.
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(process.env.SEED),
  numRuns: Number(process.env.CASES),
});
