import { defineRun } from '../../harness/runs/run-program.ts';

/** One seed of a measurement, as plain data. */
export interface SeedSpec {
  readonly measurement: string;
  readonly seed: number;
  readonly quick: boolean;
  /** The folder for the run's file. */
  readonly folder: string;
}

export const seedRun = defineRun<SeedSpec>(new URL('seed-process.ts', import.meta.url));

/** The file with a seed's values, in the folder of its run. */
export const VALUES_FILE = 'values.json';
