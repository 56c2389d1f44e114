import { PAPER_LINK } from '../../network/links/link.ts';
import { sessionStudy } from './session-study.ts';
import type { Condition } from '../../player/records/session-settings.ts';

/** Rates from below the lowest rung to three times the top rung. */
const RATES_MBPS = [0.6, 0.8, 1, 1.3, 1.6, 2, 2.5, 3, 4, 5, 7, 10];

/** The remembered throughput as a share of the link's rate, about what a session measures in its initial phase. */
const MEASURED_SHARE = 0.9;
/**
 * The remembered throughput of another network, which the viewer has just left. It is too high for every rate of this
 * study.
 */
const STALE_KBPS = 20_000;

export const starts = sessionStudy({
  name: 'starts',
  about:
    'how sessions start on links of 0.6 to 10 Mbit/s: without history, with history of the same link, and of a faster network',
  figure: 'beyond the paper',
  arms: ['dashjs', 'sammy-paper'],
  runs: 10,
  // Enough for a play delay of several seconds and the first 20 s of playback.
  seconds: 30,
  link: { ...PAPER_LINK, rtt_ms: 40 },
  conditions: RATES_MBPS.flatMap((mbps): Condition[] => {
    const link = { ...PAPER_LINK, rtt_ms: 40, rate: { kind: 'constant', mbps } } as const;
    return [
      { name: `${mbps}mbps`, link },
      { name: `${mbps}mbps-fresh`, link, remembered_kbps: mbps * 1000 * MEASURED_SHARE },
      { name: `${mbps}mbps-stale`, link, remembered_kbps: STALE_KBPS },
    ];
  }),
});
