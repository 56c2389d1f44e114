import type { Options } from '../../../system/command-line/command-line.ts';
import { wholeNumber } from '../../../system/command-line/parsers.ts';

export const SEARCH_OPTIONS = {
  traces: { valueName: 'F', about: "a file or folder of traces (mahimahi's eight)" },
  trials: { valueName: 'N', about: 'in all (200)', parse: wholeNumber(1) },
  seconds: { valueName: 'S', about: 'of each session (120)', parse: wholeNumber(5) },
} as const satisfies Options;
