import { expect, it } from 'vitest';
import { kernels } from '../../../../buffers/packets/kernel-rules.ts';
import { RoutedNetwork } from '../../../../buffers/packets/routed-network.ts';
import { seededRandom } from '../../../ground/statistics/random.ts';
import { Bottleneck } from './bottleneck.ts';
import { Reno } from './congestion/reno.ts';
import { Connection } from './connection.ts';
import { constantRate } from './rates.ts';

/**
 * Compares the fluid model of a queue with the simulation of every packet, with Linux's TCP sender. One connection
 * downloads 3 MB repeatedly. On another connection, a player downloads a segment every 4 s, with or without a pace.
 */
const SECONDS = 300;
const RTT_MS = 40;
const DOWNLOAD_BYTES = 3_000_000;
const EVERY_MS = 4000;
const FULL_BYTES = 1504;
const CONTENT_BYTES = 1448;

interface Cell {
  readonly mbps: number;
  /** The size of the queue in bandwidth-delay products. */
  readonly bdp: number;
  readonly segment_bytes: number;
  readonly pace_kbps: number | null;
}

/** The mean durations of the downloads and of the segments, ms. */
interface Durations {
  readonly download_ms: number;
  readonly segment_ms: number;
}

const queueBytes = ({ mbps, bdp }: Cell): number => (bdp * mbps * 1000 * RTT_MS) / 8;
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function byPackets(cell: Cell): Durations {
  const packet_ms = (FULL_BYTES * 8) / (cell.mbps * 1000);
  const network = new RoutedNetwork({
    port: { queues: 1, buffer_packets: Math.round(queueBytes(cell) / FULL_BYTES), packet_ms },
    ...{ congestion_control: 'reno', paced: false, kernel: kernels['6.1'], random: seededRandom(1) },
  });
  const repeat = (bytes: number, pace: number, every_ms: number): number[] => {
    const packets = Math.ceil(bytes / CONTENT_BYTES);
    const durations: number[] = [];
    let [requested, requestedAt_ms, due_ms] = [0, 0, 0];
    const request = () => {
      requestedAt_ms = network.now_ms();
      requested += packets;
      connection.request(packets, pace, 0);
    };
    const connection = network.connect(
      { queue: 0, rtt_ms: RTT_MS, line: { packet_ms: 0, free_ms: 0 }, receive_window: 1e6 },
      request,
    );
    connection.onReceived = () => {
      if (connection.received < requested) return;
      durations.push(network.now_ms() - requestedAt_ms);
      due_ms = Math.max(due_ms + every_ms, network.now_ms());
      network.at(due_ms, request);
    };
    return durations;
  };
  const downloads = repeat(DOWNLOAD_BYTES, Infinity, 0);
  const pace = cell.pace_kbps === null ? Infinity : cell.pace_kbps / 8 / CONTENT_BYTES;
  const segments = repeat(cell.segment_bytes, pace, EVERY_MS);
  network.runTo(SECONDS * 1000);
  return { download_ms: mean(downloads), segment_ms: mean(segments) };
}

function byModel(cell: Cell): Durations {
  const bottleneck = new Bottleneck(constantRate(cell.mbps), queueBytes(cell));
  const repeat = (size_bytes: number, pace_kbps: number | null, every_ms: number) => {
    const connection = new Connection('', new Reno(), {
      bottleneck,
      base_ms: RTT_MS,
      loss: 0,
      random: () => 0,
    });
    const durations: number[] = [];
    let due_ms = 0;
    const request = (at_ms: number) => ({
      at_ms,
      transfer: connection.send(size_bytes, pace_kbps, at_ms + RTT_MS / 2),
    });
    let current = request(RTT_MS);
    const send = () => {
      connection.sendBatch();
      const { at_ms, transfer } = current;
      if (transfer.ends_ms === Infinity) return;
      durations.push(transfer.ends_ms - at_ms);
      due_ms = Math.max(due_ms + every_ms, transfer.ends_ms);
      current = request(due_ms);
    };
    return { connection, send, durations };
  };
  const all = [
    repeat(DOWNLOAD_BYTES, null, 0),
    repeat(cell.segment_bytes, cell.pace_kbps, EVERY_MS),
  ] as const;
  const [downloads, segments] = all;
  for (;;) {
    const next = segments.connection.next_ms < downloads.connection.next_ms ? segments : downloads;
    if (next.connection.next_ms > SECONDS * 1000) break;
    next.send();
  }
  return { download_ms: mean(downloads.durations), segment_ms: mean(segments.durations) };
}

const cells: readonly Cell[] = [1, 4, 10].flatMap((bdp) => [
  { mbps: 2, bdp, segment_bytes: 200_000, pace_kbps: null },
  { mbps: 5, bdp, segment_bytes: 600_000, pace_kbps: null },
  { mbps: 5, bdp, segment_bytes: 600_000, pace_kbps: 3000 },
  { mbps: 10, bdp, segment_bytes: 1_600_000, pace_kbps: null },
  { mbps: 10, bdp, segment_bytes: 1_600_000, pace_kbps: 6000 },
]);

// A model in which a batch loses only its own bytes that find the queue full would fail: paced segments would take only
// 0.58 to 0.86 times as long as with single packets, because a paced sender announces small batches.
it.each(cells)(
  'agrees with single packets: $mbps Mbit/s, $bdp BDP, $segment_bytes bytes at $pace_kbps kbit/s',
  (cell) => {
    const packets = byPackets(cell);
    const model = byModel(cell);
    expect(Math.abs(Math.log(model.download_ms / packets.download_ms))).toBeLessThan(0.06);
    expect(Math.abs(Math.log(model.segment_ms / packets.segment_ms))).toBeLessThan(0.15);
  },
);
