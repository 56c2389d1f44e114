/** The bottleneck between the edge (outside) and the browser (inside). */
export interface Link {
  readonly rate: LinkRate;
  /** Base round-trip time, half of it each way. */
  readonly rtt_ms: number;
  /** The size of each direction's drop-tail queue. */
  readonly queue_bytes: number;
  /** Random loss of each direction, 0 to 1. */
  readonly loss?: number;
  /** Only of the P4 switch: a frame's delay each way is uniformly distributed, up to so much below and above, in order. */
  readonly jitter_ms?: number;
  /** A token bucket in front of the downlink's queue, which drops what finds too few tokens. Not of mahimahi. */
  readonly policer?: { readonly mbps: number; readonly burst_bytes: number };
  /** The time after which the packets of the uplink, ACKs of a download, set out together. Not with mahimahi. */
  readonly gather_ms?: number;
  /** Only of the P4 switch, in each direction. */
  readonly threshold?: LinkThreshold;
  /**
   * Only of the P4 switch: weighted round robin on the way in between two queues, that of the film's packets and that of
   * all others, each of `queue_bytes`. Without it there is one queue.
   */
  readonly weights?: readonly [film: number, others: number];
}

/** What happens to a packet that finds more than so many waiting: it is dropped, or marked where it is of ECN. */
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
  /** Only of the P4 switch: a packet takes an exponentially distributed time, in the mean as at this rate, both ways. */
  | { readonly kind: 'poisson'; readonly mbps: number }
  /** The downlink's rate over time, repeated; the uplink has the highest of them. */
  | {
      readonly kind: 'schedule';
      readonly steps: readonly RateStep[];
    }
  /** Mahimahi traces, by the name of a file of mahimahi-traces without `.up` and `.down`, or by path. */
  | {
      readonly kind: 'trace';
      readonly downlink: string;
      readonly uplink: string;
      /** The place in the traces at which the link begins, ms; their beginning when not given. */
      readonly offset_ms?: number;
    };

/** Sammy §6: 40 Mbit/s, 5 ms, a queue of four bandwidth-delay products. */
export const PAPER_LINK: Link = {
  rate: { kind: 'constant', mbps: 40 },
  rtt_ms: 5,
  queue_bytes: 100_000,
};
