/** The sender's measurements when the packets of a round trip have been acknowledged. */
export interface Acknowledged {
  readonly packets: number;
  /** The most packets in flight at once: less than `packets` if a pace spread them over several round trips. */
  readonly inFlight: number;
  /** The RTT of the last packet. */
  readonly rtt_ms: number;
  readonly least_rtt_ms: number;
  readonly now_ms: number;
  /** The delivery rate, packets/ms. */
  readonly rate: number;
  /** Whether the window limited the sender, and not a pace or the end of the data. */
  readonly windowLimited: boolean;
}

/** The congestion control of one connection, updated once per round trip. */
export interface CongestionControl {
  /** The congestion window, packets. */
  readonly window: number;
  /** The slow start threshold, packets. */
  readonly threshold: number;
  /** Its own pace, packets/ms; Infinity if it does not pace. */
  readonly pace: number;
  acknowledged(round: Acknowledged): void;
  /** Some packets of a round trip were lost, and the ACKs of the others reveal the loss. */
  lost(): void;
  /** No ACKs arrived, and the retransmission timer ran out. */
  timedOut(): void;
  /** Nothing was sent for `idle_ms`. */
  idled(idle_ms: number, timeout_ms: number): void;
  /** Returns a copy for a counterfactual simulation. */
  copy(): CongestionControl;
}

/** RFC 6928. */
export const INITIAL_WINDOW = 10;
/** RFC 5681: after a timeout a window of one, and no threshold below two. */
export const LOSS_WINDOW = 1;
export const LEAST_THRESHOLD = 2;
