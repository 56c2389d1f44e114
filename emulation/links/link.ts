/** The bottleneck between the edge (outside) and the browser (inside). */
export interface Link {
  readonly rate: LinkRate;
  /** Base round-trip time, half of it each way. */
  readonly rtt_ms: number;
  /** The size of each direction's drop-tail queue. */
  readonly queue_bytes: number;
  /** Random loss of each direction, 0 to 1. */
  readonly loss?: number;
}

export interface RateStep {
  readonly seconds: number;
  readonly mbps: number;
}

export type LinkRate =
  /** The same rate in both directions. */
  | { readonly kind: 'constant'; readonly mbps: number }
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
