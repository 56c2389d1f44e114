/** Upper bounds of histogram buckets. Each bucket is a time series, so there are only a few. */

/**
 * Time until a client has a complete response, s: from small manifests to segments that are paced for their full
 * duration.
 */
export const DURATION_S = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Time to the first byte of the edge or of an origin, s. */
export const LATENCY_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Round-trip times, s: from clients in the same building to clients behind a bloated queue. */
export const RTT_S = [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2];

/** Paces, bit/s: from audio only to three times the bitrate of UHD. */
export const PACE_BPS = [0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 100, 1000].map((mbps) => mbps * 1e6);

/**
 * Goodput divided by pace. A ratio slightly below 1 is normal, because the kernel counts headers too, up to 4% with
 * full packets.
 */
export const RATIO = [0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.5, 2];
