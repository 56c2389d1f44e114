import { KERNEL_OPTION } from '../../host/machine/kernels.ts';
import type { Options, ValuesOf } from '../../../system/command-line/command-line.ts';
import { wholeNumber } from '../../../system/command-line/parsers.ts';
import { PLACE_OPTIONS } from './place.ts';
import { readShard } from './shard.ts';

/** The options of every study. */
export const HARNESS_OPTIONS = {
  seed: {
    valueName: 'N',
    about: 'seed of all random numbers: order of the runs, positions in a trace, bootstrap (1)',
    parse: wholeNumber(0),
  },
  ...PLACE_OPTIONS,
  kernel: KERNEL_OPTION,
  jobs: {
    valueName: 'N',
    about: 'number of parallel runs (1): processes, sessions with their own links, or virtual machines',
    parse: wholeNumber(1),
  },
  'busy-attempts': {
    valueName: 'N',
    about:
      'number of attempts at a run before one that the machine disturbed is kept, and marked in the report (3); 1 for a machine that is never quiet, such as a rented virtual one',
    parse: wholeNumber(1),
  },
  out: {
    valueName: 'DIR',
    about:
      'folder for the results (lab-results/STUDY, with --link virtual lab-results/simulated/STUDY, below the current folder)',
  },
  resume: { about: 'continue an interrupted run in DIR with its settings' },
  shard: {
    valueName: 'K/N',
    about: 'make only the Kth of N parts, on one of N machines; merge combines them',
    parse: readShard,
  },
} as const satisfies Options;

export type HarnessValues = ValuesOf<typeof HARNESS_OPTIONS>;
