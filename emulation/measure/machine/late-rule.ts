/** A packet is one and a half at 8 Mbit/s, and mm-link's slot: later than that, the link is another one. */
export const LATENESS_LIMIT_MS = 1;

/**
 * Why a run is invalid whose switch let packets go too late; undefined when it is not, or when nobody knows. It may choose
 * by the arm, as any rule about the link may: a link that was late was not the link that was asked for.
 */
export const tooLate = (p99_ms: number | null): string | undefined =>
  p99_ms !== null && p99_ms > LATENESS_LIMIT_MS
    ? `the switch let packets go ${p99_ms.toFixed(2)} ms late at the 99th percentile, more than ${LATENESS_LIMIT_MS}`
    : undefined;
