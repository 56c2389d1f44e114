import type { Condition } from '../../player/records/session-settings.ts';
import type { Link } from '../../network/links/link.ts';
import { sessionStudy } from './session-study.ts';

const RATES_MBPS = [1, 2, 5, 10, 20, 40];
/** The round-trip time over an access link to a server that is not nearby. */
const RTT_MS = 40;
/** Queue sizes from short to bufferbloat; the paper's link has four bandwidth-delay products. */
const QUEUES_BDP = [1, 4, 10];
/** The length of a session, enough for the player to fill its buffer on each link whose rate allows this. */
const SECONDS = 300;

const linkAt = (mbps: number, bdp: number): Link => ({
  rate: { kind: 'constant', mbps },
  rtt_ms: RTT_MS,
  queue_bytes: Math.round((bdp * mbps * 1000 * RTT_MS) / 8),
});

const conditions: readonly Condition[] = QUEUES_BDP.flatMap((bdp) =>
  RATES_MBPS.map((mbps) => ({ name: `${mbps}mbps-${bdp}bdp`, link: linkAt(mbps, bdp) })),
);

/** Measures both the viewer and a neighbor, on links that are slower and faster than the pace. */
export const slowLinks = sessionStudy({
  name: 'slow-links',
  about: 'viewer and neighbor on links of 1 to 40 Mbit/s, beside repeated requests of 3 MB',
  figure: 'beyond the paper',
  arms: [
    'dashjs',
    'dashjs-no-fast-switch',
    'sammy-careful',
    'sammy-considerate',
    'careful-algorithm-1',
    'sammy-smooth',
    'sammy-paper',
    'fugu',
  ],
  runs: 6,
  seconds: SECONDS,
  link: linkAt(5, 4),
  neighbor: 'http',
  conditions,
});
