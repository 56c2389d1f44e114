/** TCP flows that share the bottleneck of the P4 switch, as plain data. */
export interface Traffic {
  /** The bottleneck's rate. It counts whole Ethernet frames. */
  readonly rate_bit_s: number;
  /** The round trip of each class of flows, without queueing. */
  readonly rtt_ms: readonly number[];
  readonly queue: QueueRule;
  /**
   * Maximum segments that a sender's kernel passes to its interface at once (segmentation offload). They arrive at the
   * switch back to back. 1 by default.
   */
  readonly burst_packets?: number;
  readonly flows: readonly TrafficFlow[];
  /**
   * Whether all connections open before any of them sends, as with iperf3, so that each has measured the round trip
   * without queueing. By default, each connection opens when its flow starts.
   */
  readonly opened_first?: boolean;
  /** Duration, measured from the first flow's start. */
  readonly seconds: number;
  /** The end of the start-up. Everything before this time is not counted. */
  readonly from_s: number;
}

/**
 * `tail`: the queue drops packets that find `packets` packets waiting. `drop`, `mark`: the queue is larger, and the
 * switch's program drops or marks packets that found more packets waiting (Updating the Theory of Buffer Sizing §5.4).
 * `front`: while more packets are waiting, the queue drops packets at its front.
 */
export interface QueueRule {
  readonly packets: number;
  readonly at: 'tail' | 'drop' | 'mark' | 'front';
}

export interface TrafficFlow {
  /** The kernel's name of the congestion control, or the name of a file in `congestion/`. */
  readonly congestion_control: string;
  readonly start_s: number;
  /** The index of the flow's round trip in `rtt_ms`. */
  readonly rtt_class: number;
  /** The amount to send; null: as much as possible until the end. */
  readonly bytes: number | null;
  /** Whether TCP paces the packets over the round trip. BBR always does. */
  readonly paced: boolean;
  readonly ecn: boolean;
}

/** The server's port of the first flow. Flow k uses this port plus k, in its own network namespace. */
export const FIRST_PORT = 5001;
export const flowPort = (flow: number): number => FIRST_PORT + flow;
export const portFlow = (port: number): number => port - FIRST_PORT;

const MOST_FLOWS = 1000;
/**
 * The maximum number of classes: one for the switch's first outside interface, and one for each of 15 additional ones.
 */
const MOST_CLASSES = 16;

/** Maximum burst in packets: 64 kB of IP packets of 1500 bytes. */
export const MOST_BURST = 43;

/** Checks the traffic. Throws a one-line Error that names the field, its value and the expected form. */
export function checkTraffic(traffic: Traffic): void {
  const { rate_bit_s, rtt_ms, queue, burst_packets = 1, flows, seconds, from_s } = traffic;
  const wrong = (name: string, value: unknown, expected: string) => {
    throw new Error(`${name} is ${String(value)}, expected ${expected}`);
  };
  if (!(rate_bit_s > 0)) wrong("the link's rate", rate_bit_s, 'bit/s above 0');
  if (rtt_ms.length < 1 || rtt_ms.length > MOST_CLASSES)
    wrong('the number of round-trip classes', rtt_ms.length, `1 to ${MOST_CLASSES}`);
  for (const rtt of rtt_ms) if (!(rtt >= 0)) wrong('a round trip', rtt, 'ms from 0 on');
  if (!Number.isInteger(queue.packets) || queue.packets < 1)
    wrong("the queue's size", queue.packets, 'a whole number of packets from 1 on');
  if (!Number.isInteger(burst_packets) || burst_packets < 1 || burst_packets > MOST_BURST)
    wrong('a burst', burst_packets, `a whole number of packets from 1 to ${MOST_BURST}`);
  if (flows.length < 1 || flows.length > MOST_FLOWS)
    wrong('the number of flows', flows.length, `1 to ${MOST_FLOWS}`);
  if (!(from_s >= 0 && from_s < seconds)) wrong('the start-up', from_s, `s from 0 to below ${seconds}`);
  for (const { start_s, rtt_class, bytes } of flows) {
    if (!(start_s >= 0 && start_s < seconds))
      wrong("a flow's start", start_s, `s from 0 to below ${seconds}`);
    if (rtt_ms[rtt_class] === undefined) wrong("a flow's round-trip class", rtt_class, 'one that there is');
    if (bytes !== null && !(bytes > 0)) wrong("a flow's amount", bytes, 'bytes above 0');
  }
}
