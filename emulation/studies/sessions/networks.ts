import { PAPER_LINK, type Link } from '../../network/links/link.ts';
import { sessionStudy } from './session-study.ts';

/** A rate in each band of Sammy's Figure 3: below 6, 6-15, 15-30, 30-90 and above 90 Mbit/s. */
const RATES_MBPS = [4, 10, 22, 60, 120];
const QUEUE_BDP = 4;

/** The paper's link at another rate, also with a queue of four bandwidth-delay products. */
export const linkAt = (mbps: number): Link => ({
  ...PAPER_LINK,
  rate: { kind: 'constant', mbps },
  queue_bytes: Math.round((QUEUE_BDP * mbps * 1000 * PAPER_LINK.rtt_ms) / 8),
});

export const networks = sessionStudy({
  name: 'networks',
  about: 'how much chunk throughput falls, by the rate of the link',
  figure: 'Sammy Figure 3',
  arms: ['dashjs', 'sammy-paper', 'sammy-smooth'],
  runs: 5,
  seconds: 60,
  link: PAPER_LINK,
  conditions: RATES_MBPS.map((mbps) => ({ name: `${mbps}mbps`, link: linkAt(mbps) })),
});
