/**
 * The limit of lateness, ms: the granularity of mm-link, and less than the 1.5 ms of a packet at 8 Mbit/s. A later switch does
 * not emulate the requested link.
 */
const LATENESS_LIMIT_MS = 1;

/**
 * The reason why the switch's lateness invalidates a run; undefined if the run is valid or the lateness unknown. This rule, like
 * any rule about the link, may exclude more runs of one arm than of another.
 */
export const findLateReason = (p99_ms: number | null): string | undefined =>
  p99_ms !== null && p99_ms > LATENESS_LIMIT_MS
    ? `the switch let packets go ${p99_ms.toFixed(2)} ms late at the 99th percentile, more than ${LATENESS_LIMIT_MS}`
    : undefined;
