import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TcpInfo } from '../../../edge/local/kernel/tcp-info.ts';
import { openSocketOptions } from '../../../edge/local/kernel/socket-options.ts';
import { startLabProgram, type LabProgram } from '../../ground/programs/program.ts';
import { isUnlikely } from './binomial.ts';
import { openDatagrams, type Datagrams } from './probe-datagrams.ts';
import { enterNetwork } from './shell.ts';
import type { Link } from './link.ts';
import type { Shell } from './shell.ts';

/** The measured properties of an emulated link before a run, with the requested ones. */
export interface Calibration {
  readonly valid: boolean;
  /** The reason if the link is not valid. */
  readonly reason?: string;
  /**
   * The kernel's smoothed RTT of data packets, two at a time on an otherwise idle link; the lowest one if the rate
   * varies or the link loses packets.
   */
  readonly rtt_ms: number;
  readonly expected_rtt_ms: number;
  /** The measured rate; null for a link whose rate varies over time. */
  readonly rate_mbps: number | null;
  readonly expected_rate_mbps: number | null;
  /**
   * The idle RTT of a correct link, including the emulator's own delay; null if loss, jitter or long packets make it
   * uncertain.
   */
  readonly known_rtt_ms?: number | null;
  /**
   * The highest level of the downlink's queue while the calibration floods it. This and the fields below are null for a
   * link whose rate varies.
   */
  readonly queue_bytes?: number | null;
  readonly expected_queue_bytes?: number | null;
  /** The number of small packets sent over the idle downlink. */
  readonly sent_packets?: number | null;
  /** The number of these packets that were lost. */
  readonly lost_packets?: number | null;
  /** The requested jitter in each direction; absent for 0. */
  readonly jitter_ms?: number;
  /** The requested loss, 0 to 1. */
  readonly expected_loss?: number | null;
}

/** From this rate on, a packet takes less than mm-link's slot of 1 ms, and the emulator's own delay is known. */
const FAST_MBPS = 20;
/** The tolerance of the RTT on such a link. */
const KNOWN_RTT_TOLERANCE_MS = 0.5;
/** Tolerance below the expected RTT, because mm-delay counts whole milliseconds. */
const RTT_TOLERANCE_BELOW_MS = 1;
/** A varying link, which may be slow while it is probed, may have this multiple of the expected RTT, plus 2 ms. */
const VARYING_RTT_FACTOR = 3;
/** The lowest number of round trips that are measured on a varying link. */
const VARYING_ROUND_TRIPS = 6;
/** The time limit for a varying link, which allows for a trace that begins with an outage. */
const VARYING_WITHIN_MS = 60_000;
const RATE_TOLERANCE = 0.03;

/** The size of an IP packet. */
const PACKET_BYTES = 1500;
/** The payload of a packet, without headers and time stamps. */
const PAYLOAD_BYTES = 1448;
/** The size of an Ethernet frame with a packet. */
const FRAME_BYTES = 1514;

const PAIRS = 24;
const PAIRS_BYTES = PAIRS * 2 * PAYLOAD_BYTES;
/** Not a multiple of mm-link's slots of 1 ms, so that the wait for a slot averages out. */
const PAIR_EVERY_MS = 17.3;
/** After this time of filling, the queue is full and slow start is over. */
const FILL_SETTLED_MS = 400;
/** The rate is measured over at least this time. */
const MEASURED_MS = 800;
/** The rate is measured over at least this many packets. One packet more or less changes the result by 1%. */
const MEASURED_PACKETS = 100;
const WITHIN_S = 20;
const VARYING_WITHIN_S = VARYING_WITHIN_MS / 1000 + WITHIN_S;

/** Tolerance for the queue's limit: the packet that did not fit, and the packet that mm-link has begun to send. */
const QUEUE_TOLERANCE_PACKETS = 2;
/**
 * The flood's size as a multiple of the queue's size. At three times the link's rate, two thirds of the flood must
 * wait: 2/3 × 2 = 4/3 of the queue's capacity.
 */
const FLOOD_SIZES = 2;
const FLOOD_RATE = 3;
/** The datagrams' rate as a multiple of the link's rate, enough for a link that loses a tenth of the packets. */
const LOSSY_FILL_RATE = 1.5;

/** Packets for the loss measurement are small, so that many of them use little of the link. */
const SMALL_BYTES = 128;
/** The small packets' share of the link's rate, so that no queue forms. */
const SMALL_SHARE = 0.5;
const SMALL_PER_MS = 5;
const SMALL_PACKETS = 300;
const SMALL_PACKETS_WITH_LOSS = 2000;
const SMALL_MOST_MS = 2000;
/** The share of correct links that the loss test rejects; small, because an experiment calibrates hundreds of times. */
const LOSS_ALPHA = 0.001;
/** After this time without a packet, no more are expected. */
const QUIET_MS = 250;

/** The transmission time of a packet at `mbps`. Above 1 ms, it is also mm-link's slot. */
const packetMs = (mbps: number): number => (PACKET_BYTES * 8) / 1000 / mbps;

/**
 * The interval between pairs, long enough for a pair to leave the queue and for its ACKs to arrive before the next pair
 * is sent.
 */
const pairEveryMs = (mbps: number | null): number =>
  mbps === null ? PAIR_EVERY_MS : Math.max(PAIR_EVERY_MS, 4.3 * packetMs(mbps));

const fillMs = (mbps: number): number =>
  FILL_SETTLED_MS + Math.max(MEASURED_MS, MEASURED_PACKETS * packetMs(mbps));

/**
 * Probes the link from end to end. Throws an Error when the probe itself fails; a link that differs from the request is
 * `valid: false`.
 */
export async function calibrate(shell: Shell, link: Link): Promise<Calibration> {
  const constant = link.rate.kind === 'constant' ? link.rate.mbps : null;
  const measured = await probe(shell, link, constant);
  const figures = {
    ...measured,
    expected_rtt_ms: link.rtt_ms,
    expected_rate_mbps: constant,
    known_rtt_ms:
      constant !== null && constant >= FAST_MBPS && !link.loss && !link.jitter_ms
        ? shell.delay_ms + shell.toolDelay_ms
        : null,
    expected_queue_bytes: constant === null ? null : queueLimit_bytes(link),
    ...(link.jitter_ms !== undefined && { jitter_ms: link.jitter_ms }),
    expected_loss: constant === null ? null : (link.loss ?? 0),
  };
  const reason = findDifference(figures);
  return reason === undefined ? { valid: true, ...figures } : { valid: false, reason, ...figures };
}

/**
 * The most bytes of a flood that the downlink's queue can hold: its size, or fewer if it drops packets above a
 * threshold.
 */
const queueLimit_bytes = ({ queue_bytes, threshold }: Link): number =>
  threshold?.action === 'drop' ? Math.min(queue_bytes, (threshold.packets + 1) * FRAME_BYTES) : queue_bytes;

type Figures = Omit<Calibration, 'valid' | 'reason'>;

/**
 * The reason why a link is not as requested, or undefined. A figure that could not be measured is NaN, and counts as a
 * difference.
 */
export const findDifference = (figures: Figures): string | undefined =>
  rttDifference(figures) ?? rateDifference(figures) ?? queueDifference(figures) ?? lossDifference(figures);

function rttDifference({
  rtt_ms,
  expected_rtt_ms: expected,
  expected_rate_mbps,
  known_rtt_ms: known,
  jitter_ms = 0,
}: Figures): string | undefined {
  if (known != null) {
    if (Math.abs(rtt_ms - known) <= KNOWN_RTT_TOLERANCE_MS) return undefined;
    return (
      `the idle RTT is ${rtt_ms.toFixed(2)} ms, expected ${known.toFixed(2)} ms, the ${expected} ms asked for ` +
      `with the emulator's own part`
    );
  }
  // In each direction, a packet waits for at most one slot of mm-link (at least 1 ms), and the second packet of a pair
  // also waits for the first.
  const most =
    expected_rate_mbps === null
      ? varyingMost_ms(expected)
      : expected + 2 * Math.max(1, packetMs(expected_rate_mbps)) + 2 * packetMs(expected_rate_mbps);
  const jitters_ms = 2 * jitter_ms;
  if (rtt_ms >= expected - RTT_TOLERANCE_BELOW_MS - jitters_ms && rtt_ms <= most + jitters_ms)
    return undefined;
  return `the idle RTT is ${rtt_ms.toFixed(2)} ms, expected ${expected} ms`;
}

const varyingMost_ms = (expected_ms: number): number => 2 + expected_ms * VARYING_RTT_FACTOR;

function rateDifference({ rate_mbps, expected_rate_mbps }: Figures): string | undefined {
  if (rate_mbps === null || expected_rate_mbps === null) return undefined;
  if (Math.abs(rate_mbps / expected_rate_mbps - 1) <= RATE_TOLERANCE) return undefined;
  return `the rate is ${rate_mbps.toFixed(2)} Mbit/s, expected ${expected_rate_mbps}`;
}

function queueDifference({ queue_bytes, expected_queue_bytes: expected }: Figures): string | undefined {
  if (queue_bytes == null || expected == null) return undefined;
  const slack = QUEUE_TOLERANCE_PACKETS * PACKET_BYTES;
  if (Math.abs(queue_bytes - expected) <= slack) return undefined;
  return Number.isNaN(queue_bytes)
    ? `the queue dropped nothing when it was flooded, expected at most ${expected} bytes in it`
    : `the queue drops from ${queue_bytes} bytes on, expected ${expected}`;
}

function lossDifference({ sent_packets, lost_packets, expected_loss }: Figures): string | undefined {
  if (sent_packets == null || lost_packets == null || expected_loss == null) return undefined;
  if (!isUnlikely(lost_packets, sent_packets, expected_loss, LOSS_ALPHA)) return undefined;
  return `the idle link lost ${lost_packets} of ${sent_packets} packets, expected ${expected_loss * 100}%`;
}

/**
 * Measures the link. `mbps` is the expected rate; null for a link whose rate varies, where only the RTT is measured.
 */
async function probe(
  shell: Shell,
  link: Link,
  mbps: number | null,
): Promise<Pick<Figures, 'rtt_ms' | 'rate_mbps' | 'queue_bytes' | 'sent_packets' | 'lost_packets'>> {
  const lossy = (link.loss ?? 0) > 0;
  const kernel = await openSocketOptions();
  if ('unavailable' in kernel) throw new Error(`calibration: ${kernel.unavailable}`);
  const server = createServer({ noDelay: true });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  // Not set on the connection later, because a connection that began with bbr stays paced.
  kernel.setCongestionControl(server, 'reno');
  const datagrams = await openDatagrams();
  const { port } = server.address() as AddressInfo;
  const inside = startLabProgram(
    enterNetwork(shell.pid),
    new URL('probe-inside.ts', import.meta.url),
    [shell.outsideHost, port, PAIRS_BYTES, datagrams.port].map(String),
  );
  const sockets: Socket[] = [];
  try {
    let rtt_ms = NaN;
    server.on('connection', (socket) => {
      sockets.push(socket);
      // Errors are ignored here: the probe's report, or its absence, shows what went wrong.
      socket.on('error', () => socket.destroy());
      const info = () => kernel.readTcpInfo(socket);
      if (mbps === null) {
        void measureLeastRtt_ms(socket, varyingMost_ms(link.rtt_ms) + 2 * (link.jitter_ms ?? 0), info)
          .then((least_ms) => (rtt_ms = least_ms))
          .finally(() => socket.end());
        return;
      }
      void sendPairs(socket, pairEveryMs(mbps), () => info()?.rtt ?? NaN)
        .then((rtts_ms) => {
          // A link that loses packets may delay a pair for long, so the lowest RTT is used.
          rtt_ms = lossy ? (info()?.min_rtt ?? NaN) : settledRtt_ms(rtts_ms);
          // Reno alone does not fill a link that loses packets.
          const beside = lossy ? fillWithDatagrams(datagrams, mbps) : undefined;
          return Promise.all([fill(socket, fillMs(mbps)), beside]).then(() => undefined);
        })
        .then(() => socket.end())
        .catch(() => socket.destroy());
    });
    const arrivals = await inside.expect<Arrivals>('arrivals', mbps === null ? VARYING_WITHIN_S : WITHIN_S);
    if (mbps === null)
      return { rtt_ms, rate_mbps: null, queue_bytes: null, sent_packets: null, lost_packets: null };
    const rate_mbps = (receivedRate_mbps(arrivals, fillMs(mbps)) * shell.countedBytes) / PACKET_BYTES;
    const drained = () => sleep((link.queue_bytes * 8) / 1000 / mbps + link.rtt_ms);
    await drained();
    await datagrams.greeted(WITHIN_S * 1000);
    const lost = await countLost(datagrams, inside, mbps, lossy);
    const queue_bytes = await floodQueue(datagrams, shell, link, mbps);
    return { rtt_ms, rate_mbps, queue_bytes, ...lost };
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    datagrams.close();
    await inside.stop();
  }
}

async function fillWithDatagrams(datagrams: Datagrams, mbps: number): Promise<void> {
  await datagrams.greeted(WITHIN_S * 1000);
  const rate_mbps = LOSSY_FILL_RATE * mbps;
  await datagrams.send((fillMs(mbps) * rate_mbps * 1000) / 8 / PACKET_BYTES, PACKET_BYTES, rate_mbps);
}

/** The number of datagrams that arrived. */
export interface DatagramsReceived {
  readonly type: 'datagrams';
  readonly received: number;
  readonly [field: string]: unknown;
}

async function countLost(
  datagrams: Datagrams,
  inside: LabProgram,
  mbps: number,
  lossy: boolean,
): Promise<Required<Pick<Figures, 'sent_packets' | 'lost_packets'>>> {
  const perMs = Math.min(SMALL_PER_MS, (SMALL_SHARE * mbps * 1000) / 8 / SMALL_BYTES);
  const wanted = lossy ? SMALL_PACKETS_WITH_LOSS : SMALL_PACKETS;
  const sent_packets = Math.min(wanted, Math.floor(perMs * SMALL_MOST_MS));
  const count = async () => {
    inside.send({ type: 'count' });
    return (await inside.expect<DatagramsReceived>('datagrams', WITHIN_S)).received;
  };
  const before = await count();
  await datagrams.send(sent_packets, SMALL_BYTES, (perMs * SMALL_BYTES * 8) / 1000);
  let received = -1;
  for (;;) {
    const now = (await count()) - before;
    if (now >= sent_packets || now === received)
      return { sent_packets, lost_packets: Math.max(0, sent_packets - now) };
    received = now;
    await sleep(QUIET_MS);
  }
}

/**
 * Floods the queue and returns its highest level; NaN if no packet was dropped, because then the queue never was full.
 */
async function floodQueue(datagrams: Datagrams, shell: Shell, link: Link, mbps: number): Promise<number> {
  const packets = Math.ceil((FLOOD_SIZES * link.queue_bytes) / PACKET_BYTES) + 2 * QUEUE_TOLERANCE_PACKETS;
  const since_ms = Date.now();
  await datagrams.send(packets, PACKET_BYTES, FLOOD_RATE * mbps);
  // The delay of mm-delay, and the time until the last packet has left the queue.
  await sleep(link.rtt_ms + (link.queue_bytes * 8) / 1000 / mbps + QUIET_MS);
  const { dropped_packets, deepest_bytes, least_refused_bytes } = await shell.readQueue(since_ms);
  if (dropped_packets === 0) return NaN;
  // If the queue drops packets before it is full, the level at the drop counts as its size.
  return least_refused_bytes === null ? deepest_bytes : Math.min(deepest_bytes, least_refused_bytes);
}

/** Sends pairs of packets, and returns the kernel's smoothed RTT after each pair. */
async function sendPairs(socket: Socket, every_ms: number, rttNow_ms: () => number): Promise<number[]> {
  const pair = Buffer.alloc(2 * PAYLOAD_BYTES);
  const rtts_ms: number[] = [];
  for (let sent = 0; sent < PAIRS; sent++) {
    socket.write(pair);
    await sleep(every_ms);
    rtts_ms.push(rttNow_ms());
  }
  return rtts_ms;
}

/**
 * Measures the lowest RTT of a link whose rate varies. Sends each small packet after the previous packet is
 * acknowledged, so that none waits for another. Keeps trying while the link has an outage or takes longer than
 * `most_ms`.
 */
async function measureLeastRtt_ms(
  socket: Socket,
  most_ms: number,
  info: () => Pick<TcpInfo, 'min_rtt' | 'unacked_packets'> | null,
): Promise<number> {
  const until_ms = performance.now() + VARYING_WITHIN_MS;
  let roundTrips = 0;
  for (;;) {
    const { min_rtt, unacked_packets } = info() ?? { min_rtt: NaN, unacked_packets: NaN };
    if (socket.destroyed || performance.now() >= until_ms) return min_rtt;
    if (unacked_packets === 0 && roundTrips >= VARYING_ROUND_TRIPS && min_rtt <= most_ms) return min_rtt;
    if (unacked_packets === 0) {
      socket.write('.');
      roundTrips += 1;
    }
    await sleep(PAIR_EVERY_MS);
  }
}

/** The settled RTT: the median of the last two thirds, so that a single late pair has no influence. */
export function settledRtt_ms(rtts_ms: readonly number[]): number {
  const settled = rtts_ms.slice(Math.floor(rtts_ms.length / 3)).sort((a, b) => a - b);
  return settled[Math.floor(settled.length / 2)] ?? NaN;
}

async function fill(socket: Socket, fill_ms: number): Promise<void> {
  const chunk = Buffer.alloc(64 * 1024, 1);
  const until = performance.now() + fill_ms;
  while (performance.now() < until && !socket.destroyed) {
    if (!socket.write(chunk)) {
      await Promise.race([once(socket, 'drain'), new Promise((resolve) => setTimeout(resolve, fill_ms))]);
    }
  }
}

/**
 * Samples of the bytes that the interface inside had received, on any clock, and the time at which the first byte of
 * the filling flow was read.
 */
export interface Arrivals {
  readonly type: 'arrivals';
  readonly filledFrom_ms: number;
  readonly samples: readonly (readonly [at_ms: number, received_bytes: number])[];
}

/**
 * The rate, in whole packets, while the link was full: from the time at which the flow had settled until the server
 * stopped.
 */
export function receivedRate_mbps(
  { filledFrom_ms, samples }: Omit<Arrivals, 'type'>,
  fill_ms: number,
): number {
  const full = samples.filter(
    ([at_ms]) => at_ms >= filledFrom_ms + FILL_SETTLED_MS && at_ms <= filledFrom_ms + fill_ms,
  );
  const [first, last] = [full[0], full.at(-1)];
  if (!first || !last || last[0] <= first[0]) return 0;
  return ((last[1] - first[1]) * 8) / 1000 / (last[0] - first[0]);
}
