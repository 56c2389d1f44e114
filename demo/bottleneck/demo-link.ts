import type { Link } from '../../emulation/network/links/link.ts';
import { RESPONSE_BYTES } from '../../emulation/player/neighbors/http/response-bytes.ts';
import type { Appetite } from './appetite.ts';

/** Lowest rate: the slowest link in the study of slow links on which stock dash.js seldom stalls. */
const LEAST_MBPS = 2;
/**
 * Highest rate: up to this rate, a switch that sends a postcard for every packet is known to keep up
 * (docs/lab/buffers.md).
 */
const MOST_MBPS = 100;

/**
 * Below this rate, the pace is half of the link's rate or more, and the demo uses the settings of the study of slow
 * links.
 */
const FAST_MBPS = 20;
/** The round trip of a fast link (Sammy §6). */
const FAST_RTT_MS = 5;
/** The round trip of a slow link (docs/results/log/slow-links.md). */
const SLOW_RTT_MS = 40;
/** The queue holds four bandwidth-delay products on both kinds of link. */
const QUEUE_BDP = 4;

/** Parses the option's rate in Mbit/s. Throws a one-line Error if it is invalid. */
export function readBottleneck(text: string): number {
  const mbps = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (mbps >= LEAST_MBPS && mbps <= MOST_MBPS) return mbps;
  throw new Error(`--bottleneck is '${text}', expected Mbit/s from ${LEAST_MBPS} to ${MOST_MBPS}`);
}

export type DemoLink = Link & { readonly rate: { readonly kind: 'constant' } };

export function demoLink(mbps: number): DemoLink {
  const rtt_ms = mbps < FAST_MBPS ? SLOW_RTT_MS : FAST_RTT_MS;
  const bdp_bytes = (mbps * 1000 * rtt_ms) / 8;
  return {
    rate: { kind: 'constant', mbps },
    rtt_ms,
    queue_bytes: Math.round(QUEUE_BDP * bdp_bytes),
  };
}

/** The initial appetite of the neighbor. In the study of slow links, the neighbor takes as much as possible. */
export const firstAppetite = ({ rate }: DemoLink): Appetite => (rate.mbps < FAST_MBPS ? 'greedy' : 'modest');

const LEAST_TURN_S = 15;
/**
 * Returns the length of a turn: time for three downloads of the neighbor at half of the link's rate. A download that is
 * in progress at the change of turns is discarded.
 */
export const turnLength_s = ({ rate }: DemoLink): number =>
  Math.max(LEAST_TURN_S, Math.ceil((3 * RESPONSE_BYTES * 8) / (rate.mbps * 1e6 * 0.5)));
