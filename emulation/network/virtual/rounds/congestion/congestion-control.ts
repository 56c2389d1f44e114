/** The sender's measurements when the packets of a round trip have been acknowledged. */
export interface Acknowledged {
  readonly packets: number;
  /** The most packets in flight at once: less than `packets` if a pace spread the packets over several round trips. */
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
  /** The congestion control's own pace, packets/ms; Infinity if it does not pace. */
  readonly pace: number;
  acknowledged(round: Acknowledged): void;
  /** Called when some packets of a round trip were lost, and the ACKs of the other packets reveal the loss. */
  lost(): void;
  /** Called when no ACKs arrived and the retransmission timer expired. */
  timedOut(): void;
  /** Called before sending when nothing was sent for `idle_ms`. */
  idled(idle_ms: number, timeout_ms: number): void;
  /** Returns a copy for a counterfactual simulation. */
  copy(): CongestionControl;
}

/** The initial window, packets (RFC 6928). */
export const INITIAL_WINDOW = 10;
/** RFC 5681: the window after a timeout, packets. */
export const LOSS_WINDOW = 1;
/** RFC 5681: the lowest slow start threshold, packets. */
export const LEAST_THRESHOLD = 2;
