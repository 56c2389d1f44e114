/**
 * The limit of lateness, ms: mm-link's slot, and less than a packet's 1.5 ms at 8 Mbit/s. With more, the link is not the
 * requested one.
 */
const LATENESS_LIMIT_MS = 1;

/**
 * The reason why a run is invalid in which the switch sent packets too late; undefined if the run is valid or the lateness
 * unknown. The rule may affect arms differently, as any rule about the link may: a late link is not the requested one.
 */
export const findLateReason = (p99_ms: number | null): string | undefined =>
  p99_ms !== null && p99_ms > LATENESS_LIMIT_MS
    ? `the switch let packets go ${p99_ms.toFixed(2)} ms late at the 99th percentile, more than ${LATENESS_LIMIT_MS}`
    : undefined;
