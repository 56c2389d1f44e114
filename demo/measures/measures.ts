import type { Arm } from '../arms.ts';

/** Packets that left the bottleneck's queue since the previous row. Times are ms of the machine's monotonic clock. */
export interface QueueRow {
  readonly at_ms: number;
  /** The maximum queue length that a packet met. */
  readonly depth_packets: number;
  /** The maximum queueing delay. */
  readonly wait_ms: number;
  /** Packets that found the queue full. */
  readonly dropped: number;
  /**
   * A histogram of queueing delays: pairs of a delay, in steps of `WAIT_STEP_MS` rounded up, and a number of packets.
   */
  readonly waits: readonly (readonly [steps: number, packets: number])[];
}

export const WAIT_STEP_MS = 0.25;

/** One response to the neighbor. */
export interface NeighborRow {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** The bytes that each arm's player received between two polls of the edge's sockets, about 100 ms apart. */
export interface TrafficRow {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly bytes: Readonly<Record<Arm, number>>;
}

/** The response of `/measures.json?since=N`: the measurements since the response whose `next` was N. */
export interface Measures {
  readonly now_ms: number;
  readonly next: number;
  readonly traffic: readonly TrafficRow[];
  readonly queue: readonly QueueRow[];
  readonly responses: readonly NeighborRow[];
}
