import { KERNEL_OPTION } from '../../host/machine/kernels.ts';
import type { Options, ValuesOf } from '../../../system/command-line/command-line.ts';
import { wholeNumber } from '../../../system/command-line/parsers.ts';
import { PLACE_OPTIONS } from './place.ts';
import { readShard } from './shard.ts';

/** What every study has, since it is the harness's. */
export const HARNESS_OPTIONS = {
  seed: {
    valueName: 'N',
    about: 'of what is drawn: the order of the runs, places in a trace, the bootstrap (1)',
    parse: wholeNumber(0),
  },
  ...PLACE_OPTIONS,
  kernel: KERNEL_OPTION,
  jobs: {
    valueName: 'N',
    about: 'so many runs at a time (1): processes, sessions with a link of their own, or virtual machines',
    parse: wholeNumber(1),
  },
  out: {
    valueName: 'DIR',
    about:
      'where the results go (lab-results/STUDY, with --link virtual lab-results/simulated/STUDY, below the present folder)',
  },
  resume: { about: 'goes on with what DIR has, as it was asked for' },
  shard: {
    valueName: 'K/N',
    about: 'only the Kth of N parts of the plan, for one of N machines; merge puts them together',
    parse: readShard,
  },
  viewers: { valueName: 'V', about: '', becomes: (backend: string) => ({ backend }) },
  switch: { valueName: 'S', about: '', becomes: (link: string) => ({ link }) },
  machine: { valueName: 'M', about: '', becomes: (clock: string) => ({ clock }) },
  lanes: { valueName: 'N', about: '', becomes: (jobs: string) => ({ jobs }) },
} as const satisfies Options;

export type HarnessValues = ValuesOf<typeof HARNESS_OPTIONS>;
