/** The bottleneck between the edge (outside) and the player (inside). */
export interface Link {
  readonly rate: LinkRate;
  /** The base round-trip time, half of it in each direction. */
  readonly rtt_ms: number;
  /** The size of each direction's drop-tail queue. */
  readonly queue_bytes: number;
  /** The probability of random loss in each direction, 0 to 1. */
  readonly loss?: number;
  /** A frame's delay varies uniformly by at most this much in each direction, without reordering. P4 switch only. */
  readonly jitter_ms?: number;
  /**
   * A token bucket in front of the downlink's queue, which drops packets that exceed the tokens. Not supported by
   * mahimahi.
   */
  readonly policer?: { readonly mbps: number; readonly burst_bytes: number };
  /**
   * The interval at which the packets of the uplink, the ACKs of a download, are released together. Not supported by
   * mahimahi.
   */
  readonly gather_ms?: number;
  /** A queue threshold in each direction. P4 switch only. */
  readonly threshold?: LinkThreshold;
  /**
   * Weighted round robin between two downlink queues, one for the video's packets and one for all others, each of
   * `queue_bytes`. By default there is one queue. P4 switch only.
   */
  readonly weights?: readonly [film: number, others: number];
}

/**
 * A threshold on the number of waiting packets: a packet that arrives above it is dropped, or marked if it supports
 * ECN.
 */
export interface LinkThreshold {
  readonly packets: number;
  readonly action: 'drop' | 'mark';
}

export interface RateStep {
  readonly seconds: number;
  readonly mbps: number;
}

export type LinkRate =
  /** The same rate in both directions. */
  | { readonly kind: 'constant'; readonly mbps: number }
  /** Exponentially distributed transmission times with this mean rate, in both directions. P4 switch only. */
  | { readonly kind: 'poisson'; readonly mbps: number }
  /** The downlink's rate over time, which repeats after its end; the uplink has the schedule's highest rate. */
  | {
      readonly kind: 'schedule';
      readonly steps: readonly RateStep[];
    }
  /** Mahimahi traces, by the name of a file of mahimahi-traces without `.up` and `.down`, or by path. */
  | {
      readonly kind: 'trace';
      readonly downlink: string;
      readonly uplink: string;
      /** The offset in the traces at which the link begins, ms; 0 by default. */
      readonly offset_ms?: number;
    };

/** Sammy §6: 40 Mbit/s, 5 ms, a queue of four bandwidth-delay products. */
export const PAPER_LINK: Link = {
  rate: { kind: 'constant', mbps: 40 },
  rtt_ms: 5,
  queue_bytes: 100_000,
};
