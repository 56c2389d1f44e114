/*
 * Window and queue on one clock: each data packet that the switch saw, with what its sender's kernel thought when it
 * sent it. Flow and sequence number say which packet belongs to which record of the kernel; times are only needed for
 * packets that are sent again.
 *
 * The trace point tcp:tcp_probe fires when a segment has arrived and before TCP acts on it, so a record shows the
 * sender as all segments before it have left it. The first record whose snd_nxt is beyond a packet is therefore the
 * sender's state just after that packet was sent; and the segment that acknowledged the packet came with the record
 * before the first whose snd_una is beyond it.
 *
 * What a full queue loses leaves no postcard. But a queue loses at its tail only and keeps the order, so bytes that
 * are missing between two packets of a flow were lost just before the second of them arrived.
 */
import type { Postcard } from './postcard.ts';

/** A record of tcp:tcp_probe, by the kernel's names; sequence numbers are those on the wire, modulo 2^32. */
export interface TcpProbe {
  /** Seconds of the postcards' clock: CLOCK_MONOTONIC, the trace clock `mono`, for a live switch. */
  readonly t_s: number;
  /** The port of the socket that the record is about, and its peer's. */
  readonly sport: number;
  readonly dport: number;
  readonly snd_nxt: number;
  readonly snd_una: number;
  /** Packets. */
  readonly snd_cwnd: number;
  readonly ssthresh: number;
  readonly srtt_us: number;
}

interface JoinedPacket {
  /** When it joined the queue, or was lost for want of room in it. */
  readonly t_s: number;
  readonly sport: number;
  readonly dport: number;
  readonly seq: number;
  readonly payload: number;
  /** `queue_full` is inferred from the missing bytes: `payload` may be several packets. */
  readonly fate: 'forwarded' | 'marked' | 'dropped_above_threshold' | 'queue_full';
  /** Bytes that the switch has seen before, or that it lost. */
  readonly retransmission: boolean;
  /** Packets that waited before it joined the queue; of what was lost, those before the next packet that joined. */
  readonly enq_depth: number;
  /** Missing for what was lost at the tail, which leaves no postcard. */
  readonly deq_depth: number | undefined;
  readonly queue_us: number | undefined;
  /** The sender just after it sent the packet; missing if the trace ends before. */
  readonly window: Window | undefined;
  /** When the acknowledgement reached the sender, if the packet was not lost and the trace does not end before. */
  readonly acked_s: number | undefined;
}

export interface Window {
  /** Packets. */
  readonly snd_cwnd: number;
  readonly ssthresh: number;
  readonly srtt_us: number;
  /** From the oldest unacknowledged byte to the last of this packet, so not less what SACK has reported. */
  readonly in_flight_bytes: number;
}

type Seen = Pick<
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

/** Joins postcards, in the order they came, with the senders' records; flows that the trace does not have are left out. */
export function joinWithTcpProbe(postcards: Iterable<Seen>, probes: Iterable<TcpProbe>): JoinedPacket[] {
  const flows = new Map<number, FlowJoin>();
  for (const probe of probes) {
    const key = keyOf(probe.sport, probe.dport);
    const flow = flows.get(key) ?? new FlowJoin(probe);
    flow.probes.push(probe);
    flows.set(key, flow);
  }
  for (const flow of flows.values()) flow.prepare();

  const rows: JoinedPacket[] = [];
  // Where a postcard was lost, missing bytes do not mean a lost packet.
  const next = new Map<number, number>();
  let missing = 0;
  for (const postcard of postcards) {
    const { switchId, number, flow, tcp, payloadLength } = postcard;
    if (number !== (next.get(switchId) ?? number)) missing++;
    next.set(switchId, (number + 1) >>> 0);
    if (!tcp || payloadLength === 0) continue;
    const { sourcePort = 0, destinationPort = 0 } = flow;
    flows.get(keyOf(sourcePort, destinationPort))?.see(postcard, tcp.sequence, missing, rows);
  }
  return rows.sort((one, other) => one.t_s - other.t_s);
}

const keyOf = (sport: number, dport: number): number => sport * 65_536 + dport;

/** Turns sequence numbers modulo 2^32 into numbers without the modulus: each is taken as the nearest to the one before. */
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

/** The packets of one direction of one connection. */
class FlowJoin {
  readonly probes: TcpProbe[] = [];
  private readonly sport: number;
  private readonly dport: number;
  private readonly sequences: SequenceSpace;
  private readonly first: number;
  /** snd_nxt and snd_una of the records, without the modulus. */
  private readonly next: number[] = [];
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

  see(postcard: Seen, sequence: number, missing: number, rows: JoinedPacket[]): void {
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
      acked_s: dropped ? undefined : this.acked(end),
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

  /** The first record whose snd_nxt is beyond a byte. */
  private firstBeyond(byte: number): number {
    return firstWhere(this.next, (snd_nxt) => snd_nxt > byte);
  }

  private firstAfter(t_s: number): number {
    return firstWhere(this.probes, (probe) => probe.t_s > t_s);
  }

  private acked(end: number): number | undefined {
    const shows = firstWhere(this.acknowledged, (snd_una) => snd_una >= end);
    return shows < this.probes.length ? this.probes[shows - 1]?.t_s : undefined;
  }
}

/** The first index for which the condition holds; the length if it never does. */
function firstWhere<T>(list: readonly T[], holds: (element: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
