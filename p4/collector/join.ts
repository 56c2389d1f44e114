/*
 * Joins each data packet that the switch saw with the state of its sender when it was sent, so that window and queue
 * share one clock. Flow and sequence number identify the kernel's record of a packet; times are only needed for
 * retransmissions.
 *
 * The trace point tcp:tcp_probe fires when a segment has arrived, before TCP processes that segment, so a record shows
 * the sender as all earlier segments left its state. The first record whose snd_nxt is beyond a packet is therefore the
 * sender's state just after that packet was sent. The segment that acknowledged the packet arrived with the last record
 * before snd_una passed the packet.
 *
 * Packets that a full queue loses leave no postcard. A queue drops only at its tail and keeps the order, so bytes
 * missing between two packets of a flow were lost just before the second packet arrived.
 */
import type { Postcard } from './postcard.ts';

/** One record of tcp:tcp_probe, with the kernel's field names. Sequence numbers are those on the wire, modulo 2^32. */
export interface TcpProbe {
  /** Seconds on the postcards' clock. For a live switch: CLOCK_MONOTONIC, the trace clock `mono`. */
  readonly t_s: number;
  /** The port of the socket that the record describes. */
  readonly sport: number;
  /** The peer's port. */
  readonly dport: number;
  readonly snd_nxt: number;
  readonly snd_una: number;
  /** Congestion window in packets. */
  readonly snd_cwnd: number;
  readonly ssthresh: number;
  readonly srtt_us: number;
}

interface JoinedPacket {
  /** When the packet joined the queue, or was dropped because the queue was full. */
  readonly t_s: number;
  readonly sport: number;
  readonly dport: number;
  readonly seq: number;
  readonly payload: number;
  /** `queue_full` is inferred from missing bytes, so `payload` may span several packets. */
  readonly fate: 'forwarded' | 'marked' | 'dropped_above_threshold' | 'queue_full';
  /** Whether the switch has already seen or dropped these bytes. */
  readonly retransmission: boolean;
  /** Packets in the queue when this one joined; for `queue_full`, when the next packet joined. */
  readonly enq_depth: number;
  /** Undefined for `queue_full`, which leaves no postcard. */
  readonly deq_depth: number | undefined;
  readonly queue_us: number | undefined;
  /** The sender's state just after it sent the packet; undefined if the trace ends earlier. */
  readonly window: Window | undefined;
  /** When the acknowledgment reached the sender; undefined if the packet was lost or the trace ends earlier. */
  readonly acked_s: number | undefined;
}

export interface Window {
  /** Congestion window in packets. */
  readonly snd_cwnd: number;
  readonly ssthresh: number;
  readonly srtt_us: number;
  /** Bytes from the oldest unacknowledged byte to the last byte sent so far. Bytes that SACK has reported still count. */
  readonly in_flight_bytes: number;
}

type JoinablePostcard = Pick<
  Postcard,
  | 'switchId'
  | 'number'
  | 't_s'
  | 'flow'
  | 'tcp'
  | 'payloadLength'
  | 'enqueueDepth'
  | 'dequeueDepth'
  | 'queueTime'
> &
  Pick<Postcard, 'dropped' | 'marked'>;

/** Joins postcards, in order of arrival, with the senders' records. Flows that are not in the trace are skipped. */
export function joinWithTcpProbe(
  postcards: Iterable<JoinablePostcard>,
  probes: Iterable<TcpProbe>,
): JoinedPacket[] {
  const flows = new Map<number, FlowJoin>();
  for (const probe of probes) {
    const key = flowKey(probe.sport, probe.dport);
    const flow = flows.get(key) ?? new FlowJoin(probe);
    flow.probes.push(probe);
    flows.set(key, flow);
  }
  for (const flow of flows.values()) flow.prepare();

  const rows: JoinedPacket[] = [];
  // After a lost postcard, missing bytes do not prove a lost packet.
  const next = new Map<number, number>();
  let missing = 0;
  for (const postcard of postcards) {
    const { switchId, number, flow, tcp, payloadLength } = postcard;
    if (number !== (next.get(switchId) ?? number)) missing++;
    next.set(switchId, (number + 1) >>> 0);
    if (!tcp || payloadLength === 0) continue;
    const { sourcePort = 0, destinationPort = 0 } = flow;
    flows.get(flowKey(sourcePort, destinationPort))?.addPacket(postcard, tcp.sequence, missing, rows);
  }
  return rows.sort((one, other) => one.t_s - other.t_s);
}

const flowKey = (sport: number, dport: number): number => sport * 65_536 + dport;

/** Unwraps sequence numbers modulo 2^32: each becomes the candidate closest to the previous number. */
class SequenceSpace {
  private last: number;

  constructor(first: number) {
    this.last = first;
  }

  unwrap(sequence: number): number {
    this.last += (sequence - this.last) | 0;
    return this.last;
  }
}

/** Joins the packets of one direction of one connection. */
class FlowJoin {
  readonly probes: TcpProbe[] = [];
  private readonly sport: number;
  private readonly dport: number;
  private readonly sequences: SequenceSpace;
  private readonly first: number;
  /** Unwrapped snd_nxt of the records. */
  private readonly next: number[] = [];
  /** Unwrapped snd_una of the records. */
  private readonly acknowledged: number[] = [];
  private highest: number | undefined;
  private missing = 0;

  constructor({ sport, dport, snd_una }: TcpProbe) {
    this.sport = sport;
    this.dport = dport;
    this.first = snd_una;
    this.sequences = new SequenceSpace(snd_una);
  }

  prepare(): void {
    this.probes.sort((one, other) => one.t_s - other.t_s);
    const [next, acknowledged] = [new SequenceSpace(this.first), new SequenceSpace(this.first)];
    for (const { snd_nxt, snd_una } of this.probes) {
      this.next.push(next.unwrap(snd_nxt));
      this.acknowledged.push(acknowledged.unwrap(snd_una));
    }
  }

  addPacket(postcard: JoinablePostcard, sequence: number, missing: number, rows: JoinedPacket[]): void {
    const { t_s, payloadLength, enqueueDepth, dequeueDepth, queueTime, dropped, marked } = postcard;
    const start = this.sequences.unwrap(sequence);
    const end = start + payloadLength;
    const { sport, dport, highest } = this;
    const common = { t_s, sport, dport, enq_depth: enqueueDepth };
    if (highest !== undefined && start > highest && missing === this.missing)
      rows.push({
        ...common,
        seq: highest >>> 0,
        payload: start - highest,
        fate: 'queue_full',
        retransmission: false,
        deq_depth: undefined,
        queue_us: undefined,
        window: this.window(this.firstBeyond(highest), start),
        acked_s: undefined,
      });
    const retransmission = highest !== undefined && start < highest;
    const record = retransmission ? this.firstAfter(t_s) : this.firstBeyond(start);
    rows.push({
      ...common,
      seq: sequence,
      payload: payloadLength,
      fate: dropped ? 'dropped_above_threshold' : marked ? 'marked' : 'forwarded',
      retransmission,
      deq_depth: dequeueDepth,
      queue_us: queueTime,
      window: this.window(record, end),
      acked_s: dropped ? undefined : this.acknowledgedAt(end),
    });
    this.missing = missing;
    this.highest = Math.max(highest ?? end, end);
  }

  private window(at: number, end: number): Window | undefined {
    const probe = this.probes[at];
    const acknowledged = this.acknowledged[at];
    if (!probe || acknowledged === undefined) return undefined;
    const { snd_cwnd, ssthresh, srtt_us } = probe;
    const upTo = Math.max(end, this.highest ?? end);
    return { snd_cwnd, ssthresh, srtt_us, in_flight_bytes: Math.max(0, upTo - acknowledged) };
  }

  /** Index of the first record whose snd_nxt is beyond a byte. */
  private firstBeyond(byte: number): number {
    return firstWhere(this.next, (snd_nxt) => snd_nxt > byte);
  }

  private firstAfter(t_s: number): number {
    return firstWhere(this.probes, (probe) => probe.t_s > t_s);
  }

  private acknowledgedAt(end: number): number | undefined {
    const shows = firstWhere(this.acknowledged, (snd_una) => snd_una >= end);
    return shows < this.probes.length ? this.probes[shows - 1]?.t_s : undefined;
  }
}

/**
 * The first index for which the condition is true, or the length. The list must be sorted by the condition, false
 * first.
 */
function firstWhere<T>(list: readonly T[], condition: (element: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (condition(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
