/**
 * The limit of lateness, ms: the granularity of mm-link, and less than the 1.5 ms that a packet takes at 8 Mbit/s. A
 * switch with more lateness does not emulate the requested link.
 */
const LATENESS_LIMIT_MS = 1;

/**
 * The reason why the switch's lateness invalidates a run; undefined if the run is valid or the lateness unknown. Unlike
 * the rule for busy machines, this rule may exclude more runs of one arm than of another.
 */
export const findLateReason = (p99_ms: number | null): string | undefined =>
  p99_ms !== null && p99_ms > LATENESS_LIMIT_MS
    ? `the switch sent packets ${p99_ms.toFixed(2)} ms late at the 99th percentile, more than ${LATENESS_LIMIT_MS}`
    : undefined;
