/** The measurements of flows of schemes on a path, by the live switch or in a model. */
export interface MeasuredFlows {
  /** The packets with a payload that left the bottleneck's queue, in order of departure. */
  readonly packets: readonly MeasuredPacket[];
  /** The fault of each flow's scheme, in one line; null without a fault. */
  readonly faults: readonly (string | null)[];
  /** Counted since the start, in the direction of the data. */
  readonly departed_packets: number;
  readonly departed_bytes: number;
  readonly dropped_packets: number;
  /** Random losses after the queue. */
  readonly lost_on_wire_packets: number;
  readonly postcards_missing: number;
  /** The switch's lateness; null in a model. */
  readonly lateness_p99_ms: number | null;
}

export interface MeasuredPacket {
  readonly flow: number;
  /**
   * The time at which the packet reached the bottleneck, s since the first flow's start. The sender's interface has no
   * queue of its own.
   */
  readonly sent_s: number;
  /** The one-way delay: queue, transmission and propagation. */
  readonly delay_ms: number;
  /** The size of the IP packet. */
  readonly bytes: number;
}
