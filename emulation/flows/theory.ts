import type { CongestionControl } from './cells.ts';

/** What each does at a loss, and so what is left in flight: Updating the Theory of Buffer Sizing §3.5. */
const THEORY: Record<
  CongestionControl,
  { readonly full_bdp: number; readonly inFlight_bdp: (buffer_bdp: number) => number }
> = {
  // Halves its window: the BDP rule.
  reno: { full_bdp: 1, inFlight_bdp: (buffer) => (1 + buffer) / 2 },
  // Linux's beta_cubic is 717/1024, about 7/10.
  cubic: { full_bdp: 3 / 7, inFlight_bdp: (buffer) => 0.7 * (1 + buffer) },
  // Drains at 3/4 of the rate for a round trip, while it probes for bandwidth.
  bbr: { full_bdp: 1 / 4, inFlight_bdp: (buffer) => 3 / 4 + buffer },
};

/** The least utilization, just after a loss, 0 to 1 (Lemma 2). */
export const leastUtilization = (congestionControl: CongestionControl, buffer_bdp: number): number =>
  Math.min(1, THEORY[congestionControl].inFlight_bdp(buffer_bdp));

/** The smallest buffer that keeps the link busy, in BDP. */
export const fullUtilizationBuffer = (congestionControl: CongestionControl): number =>
  THEORY[congestionControl].full_bdp;
