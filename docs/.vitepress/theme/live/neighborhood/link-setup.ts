import { careful, sammyConsiderate } from '../../../../../emulation/player/arms/careful.ts';
import { dashjs } from '../../../../../emulation/player/arms/dashjs.ts';
import { OPPORTUNITY_BYTES } from '../../../../../p4/switch/link/trace.ts';

/** The visitor's settings. */
export interface LinkSetup {
  readonly mbps: number;
  readonly rtt_ms: number;
  /** Size of the queue in bandwidth-delay products. */
  readonly queue_bdp: number;
  readonly buffer_s: Buffer_s;
  readonly neighbor: NeighborName;
}

/**
 * The arms: stock dash.js, the plug-in with its default options, and the plug-in with the option that prefers the
 * neighbor.
 */
export const ARMS = [dashjs, careful, sammyConsiderate] as const;
/** Length of the simulated session. */
export const SECONDS = 60;

export const RATES_MBPS = [2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100] as const;
export const RTTS_MS = [3, 5, 10, 20, 30, 40, 60, 80, 100, 150, 200] as const;
export const QUEUES_BDP = [0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8] as const;
/** The buffer levels of the lab's conditions. */
export const BUFFERS_S = [30, 240] as const;
type Buffer_s = (typeof BUFFERS_S)[number];

export const NEIGHBORS = {
  http: {
    title: 'a download',
    row: 'Neighbor: time to fetch 3 MB',
    metric: 'http_response_ms',
    what: 'fetches 3 MB, again and again',
  },
  udp: {
    title: 'a call',
    row: 'Neighbor: one-way delay of a call',
    metric: 'udp_owd_ms',
    what: 'is sent 5 Mbit/s over UDP',
  },
} as const;
export type NeighborName = keyof typeof NEIGHBORS;

/**
 * The link of Sammy §6, with a player buffer of four minutes as in the paper. The neighbor is a call, because its delay
 * shows the queue best.
 */
export const PAPER: LinkSetup = { mbps: 40, rtt_ms: 5, queue_bdp: 4, buffer_s: 240, neighbor: 'udp' };

/** The limit of the lab's option `--queue`. */
const MOST_QUEUE_BYTES = 1_000_000;

/** Returns the size of the queue in bytes: at least one packet, and at most the lab's limit. */
export const queueBytes = ({ mbps, rtt_ms, queue_bdp }: LinkSetup): number =>
  Math.min(MOST_QUEUE_BYTES, Math.max(OPPORTUNITY_BYTES, Math.round((queue_bdp * mbps * 1000 * rtt_ms) / 8)));

/**
 * Returns the lab's command for the same sessions. It writes these numbers to `metrics` in each run's session.json, and
 * a report.
 */
export const formatCommand = (asked: LinkSetup): string =>
  [
    `npm run lab -- run neighbor-${asked.neighbor} --link virtual --conditions buffer-${asked.buffer_s}s`,
    `--rate ${asked.mbps} --rtt ${asked.rtt_ms} --queue ${queueBytes(asked)} --seconds ${SECONDS} --runs 1`,
    `--arms ${ARMS.map(({ name }) => name).join(',')}`,
  ].join(' ');
