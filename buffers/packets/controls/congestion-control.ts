import type { RateSample } from './delivery-rate.ts';

/** The information that an ACK gives to a congestion control. */
export interface Ack {
  /** Number of packets that this ACK acknowledges for the first time. */
  readonly delivered: number;
  /** Number of packets that the sender considers lost because of this ACK. */
  readonly lost: number;
  /**
   * The round trip of the delivered packet that was sent last. Undefined if all delivered packets had been
   * retransmitted.
   */
  readonly rtt_ms: number | undefined;
  /** Packets in flight before this ACK arrived. */
  readonly inFlightBefore: number;
  /** The total number of packets delivered so far. */
  readonly deliveredInAll: number;
  readonly rate: RateSample | undefined;
}

/** Sets a connection's window, threshold and pace: `TcpState`. */
export interface CongestionControl {
  /**
   * Whether the congestion control sets the window and the pace at every ACK, including in recovery. Otherwise recovery
   * uses proportional rate reduction, and pacing uses TCP's own rules.
   */
  readonly ownsWindow: boolean;
  /** Called at the first loss of a window, and before a timeout. Returns the new threshold. */
  thresholdAfterLoss(): number;
  /** Called at every ACK if the congestion control owns the window; otherwise at ACKs at which the window may grow. */
  acked(ack: Ack): void;
  timedOut(): void;
}

/** Returns the window after an ACK in slow start, which doubles the window in a round trip, up to the threshold. */
export const slowStarted = (window: number, threshold: number, delivered: number): number =>
  Math.min(window + delivered, Math.max(threshold, window + 1));
