import type { Options } from '../../../system/command-line/command-line.ts';
import { list, oneOf, wholeNumber } from '../../../system/command-line/parsers.ts';
import { EDGE_NAMES } from '../../network/edges/index.ts';
import { LINK_OPTIONS } from '../../network/links/link-options.ts';

/** The shortest session, s. */
export const LEAST_SECONDS = 5;

/** The options of every study of sessions. */
export const SESSION_OPTIONS = {
  arms: {
    valueName: 'A,B',
    about:
      "only these; the first in the study's own order is the control. A@FILE, A@FILE#NAME: A with the constants of a file that 'search' wrote",
    parse: list,
  },
  conditions: { valueName: 'A,B', about: 'only these, in a study that has several', parse: list },
  runs: { valueName: 'N', about: "of each arm, instead of the study's own number", parse: wholeNumber(1) },
  seconds: { valueName: 'S', about: 'of each session', parse: wholeNumber(LEAST_SECONDS) },
  edge: {
    valueName: 'E',
    about: "what serves the film: node, or nginx, from apt with this project's module (node)",
    parse: oneOf(EDGE_NAMES),
  },
  ...LINK_OPTIONS,
  'exact-links': {
    about:
      "with --link virtual: links as they are asked for, where mahimahi's have a little more delay when idle",
  },
  forks: {
    about:
      'with --backend model: also writes what each paced request would have taken without its pace (unpaced.csv): the network is forked as it is then. export has it as unpaced.parquet, to judge predictions by',
  },
} as const satisfies Options;
