import type { Link } from '../../emulation/network/links/link.ts';

/** The lowest rate at which the top rung fits. */
const LEAST_MBPS = 5;
/** Up to here a switch with a postcard for every packet is known to keep up (docs/lab/buffers.md). */
const MOST_MBPS = 100;

/** Sammy §6: 5 ms, and a queue of four bandwidth-delay products. */
const RTT_MS = 5;
const QUEUE_BDP = 4;

/** Reads the option's rate, in Mbit/s. Throws an Error of one line. */
export function readBottleneck(text: string): number {
  const mbps = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (mbps >= LEAST_MBPS && mbps <= MOST_MBPS) return mbps;
  throw new Error(`--bottleneck is '${text}', expected Mbit/s from ${LEAST_MBPS} to ${MOST_MBPS}`);
}

export type DemoLink = Link & { readonly rate: { readonly kind: 'constant' } };

export function demoLink(mbps: number): DemoLink {
  const bdp_bytes = (mbps * 1000 * RTT_MS) / 8;
  return {
    rate: { kind: 'constant', mbps },
    rtt_ms: RTT_MS,
    queue_bytes: Math.round(QUEUE_BDP * bdp_bytes),
  };
}
