/** What was seen of flows of schemes on a path, by the live switch or in a model. */
export interface MeasuredFlows {
  /** That left the bottleneck's queue with a payload, in the order in which they left. */
  readonly packets: readonly MeasuredPacket[];
  /** What is wrong with each flow's scheme, in a line; null where nothing is. */
  readonly faults: readonly (string | null)[];
  /** Since the start, in the direction of the data. */
  readonly departed_packets: number;
  readonly departed_bytes: number;
  readonly dropped_packets: number;
  /** At random, behind the queue. */
  readonly lost_on_wire_packets: number;
  readonly postcards_missing: number;
  /** By how much the switch was late; null in a model. */
  readonly lateness_p99_ms: number | null;
}

export interface MeasuredPacket {
  readonly flow: number;
  /** When it reached the bottleneck, s since the first flow's start. The sender's interface has no queue of its own. */
  readonly sent_s: number;
  /** One way: queue, transmission and propagation. */
  readonly delay_ms: number;
  /** Of the IP packet. */
  readonly bytes: number;
}
