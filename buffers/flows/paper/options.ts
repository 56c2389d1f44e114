import type { Options } from '../../../system/command-line/command-line.ts';
import { list, numbers } from '../../../system/command-line/parsers.ts';
import { FLOW_OPTIONS } from '../flow-options.ts';

export const BUFFER_PAPER_OPTIONS = {
  ...FLOW_OPTIONS,
  quick: { about: 'in a quarter of an hour: fewer buffers and flows, and runs of fewer round trips' },
  figures: { valueName: '3,5', about: 'only these', parse: numbers(/^\d{1,3}$/, 'numbers such as 3,5') },
  cc: {
    valueName: 'A,B',
    about: 'in the figures that compare congestion controls also these: vegas, which BPF loads',
    parse: list,
  },
} as const satisfies Options;
