/**
 * mahimahi's own delay in an idle round trip: slots of 1 ms in mm-link and polls of whole ms in mm-delay, in each
 * direction, and a pair's second packet. Median of 24 calibrations at 40 Mbit/s and 5 ms (mm-delay 2) on a machine 41%
 * busy: 6.65 ms, half of them between 6.59 and 6.72. The lowest of six calibrations each on a busy machine: 2.54 at 40
 * Mbit/s, 2.82 at 22, 2.75 at 60,
 * 2.78 at 120.
 */
export const MAHIMAHI_DELAY_MS = 2.65;

/**
 * The argument of mm-delay: the delay in each direction, ms. mm-link forwards packets in slots of 1 ms, which adds half
 * a millisecond on average.
 */
export const delayArgument_ms = (rtt_ms: number): number => Math.floor((rtt_ms - 1) / 2);

/** The idle link's round-trip time when `rtt_ms` is requested, ms. */
export const idleRtt_ms = (rtt_ms: number): number =>
  2 * Math.max(0, delayArgument_ms(rtt_ms)) + MAHIMAHI_DELAY_MS;
