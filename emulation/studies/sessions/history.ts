import { PAPER_LINK } from '../../network/links/link.ts';
import { sessionStudy } from './session-study.ts';
import type { Condition } from '../../player/records/session-settings.ts';

/**
 * Rates at which the choice of the first rung matters: below the top rung's bitrate, just above it, and far above it.
 */
const RATES_MBPS = [2, 4, 8];
/** The remembered throughput as a share of the link's rate, about what a session measures in its initial phase. */
const MEASURED_SHARE = 0.9;

export const history = sessionStudy({
  name: 'history',
  about: 'successive sessions of a viewer, with and without history, at 2 to 8 Mbit/s',
  figure: 'Sammy Figure 6',
  arms: ['sammy-paper'],
  runs: 5,
  seconds: 30,
  link: { ...PAPER_LINK, rtt_ms: 40 },
  conditions: RATES_MBPS.flatMap((mbps): Condition[] => {
    const link = { ...PAPER_LINK, rtt_ms: 40, rate: { kind: 'constant', mbps } } as const;
    const withHistory = `${mbps}mbps-with-history`;
    return [
      { name: withHistory, link, history: { begins_kbps: mbps * 1000 * MEASURED_SHARE } },
      { name: `${mbps}mbps-without-history`, link, history: { begins_kbps: null }, against: withHistory },
    ];
  }),
});
