import type { Options } from '../../../system/command-line/command-line.ts';
import { list, wholeNumber } from '../../../system/command-line/parsers.ts';

/** The largest share of random rungs, because with more of them an arm would no longer be the algorithm of its name. */
const MOST_EXPLORED_PCT = 50;
/** The lower bound of `--seconds`, well above the watch time of 4 s from which a stream is evaluated. */
const SHORTEST_S = 10;
/** The upper bound of `--seconds`: half a day, because a session ends on the day on which it began. */
const LONGEST_S = 43_200;
export const TRIAL_OPTIONS = {
  arms: {
    valueName: 'A,B',
    about: "the lab's, and fugu-in-situ, retrained every day, and fugu-frozen, trained once (eight of them)",
    parse: list,
  },
  days: {
    valueName: 'N',
    about:
      '(5; light 3); where an arm learns here, the first day is for the others alone, and does not count',
    parse: wholeNumber(1),
  },
  'sessions-per-day': { valueName: 'N', about: '(400; light 48)', parse: wholeNumber(1) },
  seconds: {
    valueName: 'S',
    about: 'that nobody watches longer than (600; light 30)',
    parse: wholeNumber(SHORTEST_S, LONGEST_S),
  },
  traces: { valueName: 'F', about: "a file or folder of traces (mahimahi's eight)" },
  epochs: { valueName: 'N', about: "of a day's training, at most (6)", parse: wholeNumber(1) },
  explored: {
    valueName: 'PCT',
    about: 'so many of the segments of the arms that learn here are of a rung that is drawn, up to 50 (0)',
    parse: wholeNumber(0, MOST_EXPLORED_PCT),
  },
} as const satisfies Options;
