import type { LinkRow, LinkTotals } from '../../network/measure/link-log.ts';
import type { RttSummary } from '../../network/measure/rtt-digest.ts';
import { rounded, weightedRank, type Weighted } from '../../ground/statistics/percentiles.ts';
import type { TcpRow } from '../../network/measure/tcp-rows.ts';
import { OPPORTUNITY_BYTES } from '../../../p4/switch/link/trace.ts';
import type { Phase } from '../../../src/decision.ts';
import type { Capacity } from '../../network/virtual/rounds/capacity.ts';
import type { Batch, SentPackets } from '../../network/virtual/rounds/connection.ts';

const ROW_MS = 100;
const TCP_ROW_MS = 20;
/** The number of samples that are taken of a batch of packets. */
const PARTS = 4;

/** The sums of a row of link.csv: bytes that arrived and departed, dropped packets, and ms of delay of all `packets`. */
interface Row {
  arrived: number;
  departed: number;
  dropped: number;
  delay: number;
  packets: number;
}

/** Records a session's packets with the same results as the lab's instruments. */
export class Recorder {
  readonly #delays: Weighted[] = [];
  readonly #rtts: Weighted[] = [];
  readonly #rows: Row[] = [];
  readonly #tcp: TcpRow[] = [];
  readonly #tcpAt_ms = new Map<string, number>();
  /**
   * The number of rows that belong to the session. On a stalled link, packets may leave long after the session's end.
   */
  readonly #most: number;
  #sent = 0;
  #arrived = 0;
  #dropped = 0;
  #retransmittedPlaying_bytes = 0;

  constructor(seconds: number) {
    this.#most = (seconds * 1000) / ROW_MS;
  }

  readonly observe = (batch: Batch, phase: Phase | undefined): void => {
    const { connection, packets, lost_packets } = batch;
    const came = packets - lost_packets;
    this.#sent += packets;
    if (phase === 'playing') this.#retransmittedPlaying_bytes += lost_packets * OPPORTUNITY_BYTES;
    this.recordPackets(batch);
    this.#rtts.push({ value: connection.srtt_ms, weight: came });
    this.#tcpRow(batch);
  };

  /** Records the packets of any sender, because the link's instruments see all packets. */
  readonly recordPackets = (passing: SentPackets): void => {
    const { begins_ms, ends_ms, sent_ms, sends_ms, packets, lost_packets, dropped_bytes } = passing;
    const came = packets - lost_packets;
    this.#arrived += packets;
    this.#dropped += dropped_bytes / OPPORTUNITY_BYTES;
    this.#row(sent_ms).dropped += dropped_bytes / OPPORTUNITY_BYTES;
    for (let part = 0; part < PARTS; part++) {
      const share = (part + 0.5) / PARTS;
      const left_ms = begins_ms + (ends_ms - begins_ms) * share;
      const delay = Math.max(0, left_ms - (sent_ms + sends_ms * share));
      this.#delays.push({ value: delay, weight: came / PARTS });
      this.#row(sent_ms + sends_ms * share).arrived += (came / PARTS) * OPPORTUNITY_BYTES;
      const row = this.#row(left_ms);
      row.departed += (came / PARTS) * OPPORTUNITY_BYTES;
      row.delay += (delay * came) / PARTS;
      row.packets += came / PARTS;
    }
  };

  #tcpRow({ connection, ends_ms }: Batch): void {
    const { name, srtt_ms, control } = connection;
    const slot = Math.floor(ends_ms / TCP_ROW_MS);
    if (this.#tcpAt_ms.get(name) === slot) return;
    this.#tcpAt_ms.set(name, slot);
    this.#tcp.push({
      t_s: rounded(ends_ms / 1000),
      flow: name,
      srtt_ms,
      cwnd_packets: Math.floor(control.window),
      ssthresh_packets: Number.isFinite(control.threshold) ? Math.floor(control.threshold) : null,
    });
  }

  #row(at_ms: number): Row {
    const index = Math.floor(at_ms / ROW_MS);
    const empty = (): Row => ({ arrived: 0, departed: 0, dropped: 0, delay: 0, packets: 0 });
    if (index >= this.#most) return empty();
    while (this.#rows.length < index) this.#rows.push(empty());
    return (this.#rows[index] ??= empty());
  }

  get acks(): RttSummary {
    return { rtt_median_ms: weightedRank(this.#rtts, 0.5), rtt_p95_ms: weightedRank(this.#rtts, 0.95) };
  }

  get playing_retransmit_bytes(): number {
    return Math.round(this.#retransmittedPlaying_bytes);
  }

  get retransmit_pct(): number | null {
    return this.#sent > 0
      ? (100 * this.#rtts.reduce((left, { weight }) => left - weight, this.#sent)) / this.#sent
      : null;
  }

  get tcp(): readonly TcpRow[] {
    return this.#tcp;
  }

  get rows(): LinkRow[] {
    let queued = 0;
    return this.#rows.map(({ arrived, departed, dropped, delay, packets }, index) => {
      queued = Math.max(0, queued + arrived - departed);
      return {
        t_s: rounded((index * ROW_MS) / 1000),
        departed_bytes: Math.round(departed),
        dropped_packets: Math.round(dropped),
        queue_delay_ms: packets > 0 ? rounded(delay / packets) : null,
        queue_bytes: Math.round(queued),
      };
    });
  }

  totals(capacity: Capacity, seconds: number): LinkTotals {
    const departed = this.#delays.reduce((sum, { weight }) => sum + weight, 0);
    const waited = this.#delays.reduce((sum, { value, weight }) => sum + value * weight, 0);
    return {
      queue_delay_mean_ms: departed > 0 ? waited / departed : null,
      queue_delay_p95_ms: weightedRank(this.#delays, 0.95),
      arrived_packets: Math.round(this.#arrived),
      departed_packets: Math.round(departed),
      dropped_packets: Math.round(this.#dropped),
      departed_bytes: Math.round(departed * OPPORTUNITY_BYTES),
      offered_bytes: Math.round(capacity.bytesBetween(0, seconds * 1000)),
    };
  }
}
