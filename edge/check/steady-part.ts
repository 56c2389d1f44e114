import { milliseconds, type Milliseconds } from '../../src/units.ts';

/** Bytes of a body, and when they were read. */
export interface Arrival {
  readonly at: Milliseconds;
  readonly bytes: number;
}

/** Reads that follow each other so closely belong to one packet: a program reads a packet of loopback in parts. */
const BURST_MS = 20;
/** A shorter body, which is not paced or at a high pace, is divided into at least this many bursts. */
const LEAST_BURSTS = 8;

/**
 * The part of a body whose bytes and time give the rate at which it was sent; no bytes and no time if there is none.
 *
 * TCP waits after a packet for as long as the packet's bytes take at the pace (`tcp_update_skb_after_send`). So the time
 * between two bursts belongs to the bytes of the first, and those of the last burst took none of the time that was seen: on
 * loopback, where two packets have 131 kB, counting them would change the rate of a segment by up to a third. The first
 * burst is left out, too: TCP may wait half as long after it if the connection was idle.
 */
export function steadyPart(arrivals: readonly Arrival[]): {
  readonly bytes: number;
  readonly time: Milliseconds;
} {
  const took = (arrivals.at(-1)?.at ?? 0) - (arrivals[0]?.at ?? 0);
  const bursts = groupBursts(arrivals, Math.min(BURST_MS, took / LEAST_BURSTS));
  const [second, last] = [bursts[1], bursts.at(-1)];
  if (second && last && bursts.length > 2)
    return { bytes: sum(bursts.slice(1, -1)), time: milliseconds(last.at - second.at) };
  return took <= BURST_MS
    ? { bytes: sum(arrivals.slice(1)), time: milliseconds(took) }
    : { bytes: 0, time: milliseconds(0) };
}

const sum = (arrivals: readonly Arrival[]): number => arrivals.reduce((total, { bytes }) => total + bytes, 0);

function groupBursts(arrivals: readonly Arrival[], longest: number): Arrival[] {
  const bursts: Arrival[] = [];
  for (const { at, bytes } of arrivals) {
    const burst = bursts.at(-1);
    if (burst && at - burst.at <= longest) bursts.splice(-1, 1, { at: burst.at, bytes: burst.bytes + bytes });
    else bursts.push({ at, bytes });
  }
  return bursts;
}
