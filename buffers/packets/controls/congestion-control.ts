import type { RateSample } from './delivery-rate.ts';

/** The information of an ACK. */
export interface Ack {
  /** Packets that it says have arrived, of which no earlier one said so. */
  readonly delivered: number;
  /** Packets that it made the sender take for lost. */
  readonly lost: number;
  /** The round trip of the delivered packet that was sent last; undefined if all had been retransmitted. */
  readonly rtt_ms: number | undefined;
  /** Before it came. */
  readonly inFlightBefore: number;
  /** The total number of packets delivered so far. */
  readonly deliveredInAll: number;
  readonly rate: RateSample | undefined;
}

/** Sets a connection's window, threshold and pace: `TcpState`. */
export interface CongestionControl {
  /** It sets window and pace at every ACK, also in recovery; else recovery is proportional and pacing TCP's own. */
  readonly ownsWindow: boolean;
  /** Called at the first loss of a window, and before a timeout. Returns the new threshold. */
  thresholdAfterLoss(): number;
  /** At every ACK if it owns the window; else at those at which the window may grow. */
  acked(ack: Ack): void;
  timedOut(): void;
}

/** Doubles the window in a round trip, up to the threshold. */
export const slowStarted = (window: number, threshold: number, delivered: number): number =>
  Math.min(window + delivered, Math.max(threshold, window + 1));
