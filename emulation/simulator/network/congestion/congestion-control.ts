/** What a sender knows when the packets of a round trip have been acknowledged. */
export interface Acknowledged {
  readonly packets: number;
  /** The most that were under way at once: less than `packets` where a pace spread them over several round trips. */
  readonly underWay: number;
  /** Of the last of them. */
  readonly rtt_ms: number;
  readonly least_rtt_ms: number;
  readonly now_ms: number;
  /** The delivery rate, packets/ms. */
  readonly rate: number;
  /** The window was what held the sender back, and neither a pace nor the end of the data. */
  readonly windowLimited: boolean;
}

/** How much may be under way, round trip by round trip. One connection's. */
export interface CongestionControl {
  /** Packets. */
  readonly window: number;
  /** Slow start ends here; packets. */
  readonly threshold: number;
  /** What it paces itself with, packets/ms; infinite where it does not. */
  readonly pace: number;
  acknowledged(round: Acknowledged): void;
  /** Something was lost of a round trip, and the rest says so. */
  lost(): void;
  /** Nothing came back. */
  timedOut(): void;
  /** Nothing was sent for `idle_ms`. */
  rested(idle_ms: number, timeout_ms: number): void;
}

/** RFC 6928. */
export const INITIAL_WINDOW = 10;
/** RFC 5681: after a timeout a window of one, and no threshold below two. */
export const LOSS_WINDOW = 1;
export const LEAST_THRESHOLD = 2;
