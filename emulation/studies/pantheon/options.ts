import type { Options } from '../../../system/command-line/command-line.ts';
import { list, numbers, parseChoices, wholeNumber } from '../../../system/command-line/parsers.ts';
import { LINK_OPTIONS } from '../../network/links/link-options.ts';
import { schemes } from '../../network/schemes/index.ts';
import { paths } from './paths.ts';

const LEAST_SECONDS = 3;

export const PANTHEON_OPTIONS = {
  paths: {
    valueName: 'A,B',
    about: `of ${Object.keys(paths).join(', ')} (wired); or one of your own by --rate, --rtt, --queue, --loss`,
    parse: parseChoices(paths),
  },
  schemes: {
    valueName: 'A,B',
    about: `of ${schemes.map(({ name }) => name).join(', ')}; without it, those that usually run here`,
    parse: list,
  },
  flows: {
    valueName: 'A,B',
    about: 'how many flows of a scheme share the path, which begin one after the other: 1, 3 or both (1)',
    parse: numbers(/^[1-9]$/, 'numbers from 1 to 9 such as 1,3'),
  },
  runs: { valueName: 'N', about: 'of each scheme on each path (3)', parse: wholeNumber(1) },
  seconds: { valueName: 'S', about: 'of each run (30)', parse: wholeNumber(LEAST_SECONDS) },
  quick: { about: 'one path, one flow, two runs of 8 s: within 6 minutes' },
  rate: LINK_OPTIONS.rate,
  rtt: LINK_OPTIONS.rtt,
  queue: LINK_OPTIONS.queue,
  loss: LINK_OPTIONS.loss,
} as const satisfies Options;
