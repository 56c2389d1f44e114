import fc from 'fast-check';

// The seed and the number of cases are those of vitest.config.ts, the same in all files of a run.
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(process.env.SEED),
  numRuns: Number(process.env.CASES),
});
