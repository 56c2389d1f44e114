import { PAPER_LINK } from '../links/link.ts';
import { sessionExperiment } from '../sessions/session-experiment.ts';

/** What a session on the paper's link measures in its initial phase, roughly: the memory of a long-time viewer. */
const LONG_TIME_VIEWER_KBPS = 20_000;

export const history = sessionExperiment({
  name: 'history',
  about: 'session after session of a viewer who begins without history, against one who has it',
  figure: 'Sammy Figure 6',
  arms: ['sammy'],
  runs: 5,
  seconds: 30,
  link: PAPER_LINK,
  conditions: [
    { name: 'with-history', history: { begins_kbps: LONG_TIME_VIEWER_KBPS } },
    { name: 'without-history', history: { begins_kbps: null } },
  ],
});
