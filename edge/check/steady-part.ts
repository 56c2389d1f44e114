import { milliseconds, type Milliseconds } from '../../src/units.ts';

/** Bytes of a body, and when they were read. */
export interface Arrival {
  readonly at: Milliseconds;
  readonly bytes: number;
}

/**
 * Reads within this time of each other belong to one packet, because a program reads the large packets of loopback in
 * parts.
 */
const BURST_MS = 20;
/**
 * The minimum number of bursts. A body with fewer bursts, which is unpaced or has a high pace, is divided into this
 * many.
 */
const LEAST_BURSTS = 8;
/** The size of a burst, as a multiple of the mean size, from which it counts as read late. */
const LATE_BURST = 1.5;

/**
 * Returns the bytes and the duration of the part of a body from which the sending rate can be computed. Both are 0 if
 * there is no such part.
 *
 * After each packet, TCP waits for as long as the packet's bytes take at the pace (`tcp_update_skb_after_send`). The
 * time between two bursts is therefore the sending time of the first one's bytes. The bytes of the last burst are
 * excluded: on loopback, where two packets have 131 kB, they would change the rate of 400 kB by a third. The first
 * burst is excluded too, because TCP may wait only half as long after it if the connection was idle. A burst that a
 * busy machine has read late has the bytes of several bursts, so it is neither the first nor the last of the part.
 */
export function steadyPart(arrivals: readonly Arrival[]): {
  readonly bytes: number;
  readonly time: Milliseconds;
} {
  const took = (arrivals.at(-1)?.at ?? 0) - (arrivals[0]?.at ?? 0);
  const bursts = groupBursts(arrivals, Math.min(BURST_MS, took / LEAST_BURSTS));
  const whole = bursts.slice(1).filter(({ bytes }) => bytes < (LATE_BURST * sum(bursts)) / bursts.length);
  const [first, last] = [whole[0], whole.at(-1)];
  if (first && last && whole.length > 1)
    return {
      bytes: sum(bursts.filter(({ at }) => at >= first.at && at < last.at)),
      time: milliseconds(last.at - first.at),
    };
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
