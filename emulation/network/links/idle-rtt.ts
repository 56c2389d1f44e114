/**
 * mahimahi's own delay in an idle round trip: slots of 1 ms in mm-link and polls of whole ms in mm-delay, in each
 * direction, and a pair's second packet. Measured at 40 Mbit/s on a machine 41% busy: a median of 6.65 ms (quartiles
 * 6.59 and 6.72) in 24 calibrations, minus mm-delay's 2 × 2 ms. On a busier machine, the lowest of six calibrations was
 * 2.54 ms at 40 Mbit/s, 2.82 at 22, 2.75 at 60 and 2.78 at 120.
 */
export const MAHIMAHI_DELAY_MS = 2.65;

/**
 * The argument of mm-delay: the delay in each direction, ms. In each direction, mm-link's slots of 1 ms add half a
 * millisecond on average.
 */
export const delayArgument_ms = (rtt_ms: number): number => Math.floor((rtt_ms - 1) / 2);

/** The idle link's round-trip time when `rtt_ms` is requested, ms. */
export const idleRtt_ms = (rtt_ms: number): number =>
  2 * Math.max(0, delayArgument_ms(rtt_ms)) + MAHIMAHI_DELAY_MS;
