import type { Options } from '../../../system/command-line/command-line.ts';
import { list, parseChoice, wholeNumber } from '../../../system/command-line/parsers.ts';
import { KERNEL_NAMES } from '../../packets/kernel-rules.ts';
import { FLOW_OPTIONS } from '../flow-options.ts';

export const ALLOCATION_OPTIONS = {
  ...FLOW_OPTIONS,
  conditions: {
    valueName: 'A,B',
    about: 'only these: connections, pacing, congestion-control',
    parse: list,
  },
  quick: { about: 'in ten minutes: 0, 1, 5, 9 and 10 treated, and shorter runs' },
  'drop-at': {
    valueName: 'END',
    about: "of the queue: front, as the paper's switch, or tail (front)",
    parse: parseChoice(['front', 'tail']),
  },
  burst: {
    valueName: 'N',
    about:
      'packets that a sender may send back to back (1, at most 43; with --backend model 7, which is the most)',
    parse: wholeNumber(1),
  },
  buffer: { valueName: 'N', about: 'of the switch, in bandwidth-delay products (1)' },
  rules: {
    valueName: 'V',
    about:
      "with --backend model, on the paper's own link of 10 Gbit/s and 1 ms: senders by the rules of Linux 5.5 (the paper's), 5.11 or 6.1 (5.5)",
    parse: parseChoice(KERNEL_NAMES),
  },
} as const satisfies Options;
