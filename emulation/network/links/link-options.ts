import type { Options } from '../../../system/command-line/command-line.ts';
import { numbers, numberUpTo, wholeNumber } from '../../../system/command-line/parsers.ts';
import { OPPORTUNITY_BYTES } from './traces.ts';

/** The smallest queue, which holds one packet. */
const LEAST_QUEUE_BYTES = OPPORTUNITY_BYTES;
/** A calibration cannot fill a link with a higher loss. */
const MOST_LOSS_PCT = 10;
const MOST_JITTER_MS = 10_000;

/** The options that describe a link. Each default is the study's own value. */
export const LINK_OPTIONS = {
  rate: {
    valueName: 'R',
    about:
      "rate of the link, instead of the study's own: Mbit/s (20), Mbit/s and seconds (40x30,5x20), or a mahimahi trace, by name or file; with --link p4 also poisson:20, a mean in Mbit/s with exponentially distributed transmission times",
  },
  rtt: { valueName: 'MS', about: 'round-trip time of the link, ms', parse: wholeNumber(0) },
  queue: {
    valueName: 'BYTES',
    about: 'size of the drop-tail queue, bytes',
    parse: wholeNumber(LEAST_QUEUE_BYTES),
  },
  loss: {
    valueName: 'PCT',
    about: 'random loss in each direction, 0 to 10%; with --link p4 run k of every arm has the same seed',
    parse: numberUpTo(MOST_LOSS_PCT, '%'),
  },
  jitter: {
    valueName: 'MS',
    about:
      'random change of the delay in each direction, uniformly up to this much more or less, in order (--link p4)',
    parse: numberUpTo(MOST_JITTER_MS, 'ms'),
  },
  'drop-above': {
    valueName: 'N',
    about: 'drop packets that arrive when more than N wait (--link p4)',
    parse: wholeNumber(1),
  },
  'mark-above': {
    valueName: 'N',
    about: 'mark ECN packets that arrive when more than N wait, and use ECN (--link p4)',
    parse: wholeNumber(1),
  },
  weights: {
    valueName: 'F,O',
    about:
      'give the video its own queue, which sends F full packets in turn with O of all others (--link p4)',
    parse: numbers(/^[1-9]\d{0,2}$/, 'whole numbers from 1 to 999 such as 3,1'),
  },
} as const satisfies Options;
