import type { Options } from '../../../system/command-line/command-line.ts';
import { numbers } from '../../../system/command-line/parsers.ts';
import type { Study } from '../../harness/runs/study.ts';
import { PAPER_LINK } from '../../network/links/link.ts';
import type { SessionSettings } from '../../player/records/session-settings.ts';
import { SESSION_OPTIONS } from '../../player/real-time/session-options.ts';
import { linkAt } from '../sessions/networks.ts';
import { sessionStudy } from '../sessions/session-study.ts';

/** The fixed settings of the study. */
const own = sessionStudy({
  name: 'three-rates',
  about: 'stock dash.js and Sammy at three rates',
  figure: 'the example of docs/lab/extend.md',
  arms: ['dashjs', 'sammy-paper'],
  runs: 3,
  seconds: 30,
  link: PAPER_LINK,
});

/**
 * The options of all studies of sessions, and an option of this study. Declaring it here suffices for parsing, help and
 * suggestions.
 */
const OPTIONS = {
  ...SESSION_OPTIONS,
  rates: {
    valueName: 'A,B',
    about: 'of the links, Mbit/s (4,10,40)',
    parse: numbers(/^\d+(\.\d+)?$/, 'Mbit/s such as 4,10'),
  },
} as const satisfies Options;

/**
 * To use the study, import it into `sessions/index.ts` and list it there. The command is then `npm run lab -- run
 * three-rates --rates 2,8 --backend model`.
 */
export const threeRates: Study<typeof OPTIONS, SessionSettings> = {
  ...own,
  options: OPTIONS,
  plan({ rates = [4, 10, 40], ...asked }, before) {
    const conditions = rates.map((mbps) => ({ name: `${mbps}mbps`, link: linkAt(mbps) }));
    return sessionStudy({ ...own.settings, conditions }).plan(asked, before);
  },
};
