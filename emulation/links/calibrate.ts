import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { openSocketOptions } from '../../edge/local/kernel/socket-options.ts';
import { startLabProgram } from '../programs/program.ts';
import { intoNetworkOf } from './shell.ts';
import type { Link } from './link.ts';
import type { Shell } from './shell.ts';

/** What an emulated link was measured to do before a run, next to what it was asked for. */
export interface Calibration {
  readonly valid: boolean;
  /** Why not. */
  readonly reason?: string;
  /** The kernel's smoothed RTT of data packets, two at a time on an otherwise idle link; the least if its rate varies. */
  readonly rtt_ms: number;
  readonly expected_rtt_ms: number;
  /** Null for a link whose rate varies. */
  readonly rate_mbps: number | null;
  readonly expected_rate_mbps: number | null;
}

/** Below: mm-delay counts whole milliseconds. */
const RTT_TOLERANCE_BELOW_MS = 1;
/** A varying link may be slow while it is probed. */
const VARYING_RTT_FACTOR = 3;
const RATE_TOLERANCE = 0.03;

/** A packet, its payload beside headers and time stamps. */
const PACKET_BYTES = 1500;
const PAYLOAD_BYTES = 1448;

const PAIRS = 24;
const PAIRS_BYTES = PAIRS * 2 * PAYLOAD_BYTES;
/** Of no common measure with mm-link's slots of 1 ms. */
const PAIR_EVERY_MS = 17.3;
/** The queue is full and slow start over. */
const FILL_SETTLED_MS = 400;
/** Then the rate is measured: for so long, and for so many packets, one of which is 1% of the figure. */
const MEASURED_MS = 800;
const MEASURED_PACKETS = 100;
const WITHIN_S = 20;

/** How long a packet takes at `mbps`. Slower than one in a millisecond, that is also mm-link's slot. */
const packetMs = (mbps: number): number => (PACKET_BYTES * 8) / 1000 / mbps;

/** A pair has left the queue, and its ACKs have come, before the next one is sent. */
const pairEveryMs = (mbps: number | null): number =>
  mbps === null ? PAIR_EVERY_MS : Math.max(PAIR_EVERY_MS, 4.3 * packetMs(mbps));

const fillMs = (mbps: number): number =>
  FILL_SETTLED_MS + Math.max(MEASURED_MS, MEASURED_PACKETS * packetMs(mbps));

/** Probes the link from end to end. Throws an Error when the probe itself fails; a link that is off is `valid: false`. */
export async function calibrate(shell: Shell, link: Link): Promise<Calibration> {
  const constant = link.rate.kind === 'constant' ? link.rate.mbps : null;
  const measured = await probe(shell, constant);
  const figures = { ...measured, expected_rtt_ms: link.rtt_ms, expected_rate_mbps: constant };
  const reason = whatIsOff(figures);
  return reason === undefined ? { valid: true, ...figures } : { valid: false, reason, ...figures };
}

/** Why a link is not what was asked for; undefined when it is. */
export function whatIsOff({
  rtt_ms,
  expected_rtt_ms: expected,
  rate_mbps,
  expected_rate_mbps,
}: Omit<Calibration, 'valid' | 'reason'>): string | undefined {
  // Above: a slot of mm-link each way, and a pair's second packet, which waits for the first.
  const most =
    expected_rate_mbps === null
      ? 2 + expected * VARYING_RTT_FACTOR
      : expected + 2 * Math.max(1, packetMs(expected_rate_mbps)) + 2 * packetMs(expected_rate_mbps);
  // What could not be measured is NaN, and off too.
  if (!(rtt_ms >= expected - RTT_TOLERANCE_BELOW_MS && rtt_ms <= most)) {
    return `the idle RTT is ${rtt_ms.toFixed(2)} ms, expected ${expected} ms`;
  }
  if (rate_mbps === null || expected_rate_mbps === null) return undefined;
  if (!(Math.abs(rate_mbps / expected_rate_mbps - 1) <= RATE_TOLERANCE)) {
    return `the rate is ${rate_mbps.toFixed(2)} Mbit/s, expected ${expected_rate_mbps}`;
  }
  return undefined;
}

/** `mbps`: the rate to be expected; null for a link whose rate varies, which is not measured. */
async function probe(shell: Shell, mbps: number | null): Promise<Pick<Calibration, 'rtt_ms' | 'rate_mbps'>> {
  const kernel = await openSocketOptions();
  if ('unavailable' in kernel) throw new Error(`calibration: ${kernel.unavailable}`);
  const server = createServer({ noDelay: true });
  // Whoever paced a connection once, as bbr does, leaves it paced.
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  kernel.setCongestionControl(server, 'reno');
  const { port } = server.address() as AddressInfo;
  const inside = startLabProgram(intoNetworkOf(shell.pid), new URL('probe-inside.ts', import.meta.url), [
    shell.outsideHost,
    String(port),
    String(PAIRS_BYTES),
  ]);
  const sockets: Socket[] = [];
  try {
    let rtt_ms = NaN;
    server.on('connection', (socket) => {
      sockets.push(socket);
      // The probe's word, or its absence, tells what went wrong.
      socket.on('error', () => socket.destroy());
      void sendPairs(socket, pairEveryMs(mbps))
        .then(() => {
          const tcp = kernel.readTcpInfo(socket);
          // A link that varies may hold a pair up for long; the least is its base.
          rtt_ms = (mbps === null ? tcp?.min_rtt : tcp?.rtt) ?? NaN;
          return mbps === null ? undefined : fill(socket, fillMs(mbps));
        })
        .then(() => socket.end())
        .catch(() => socket.destroy());
    });
    const arrivals = await inside.expect<Arrivals>('arrivals', WITHIN_S);
    const rate_mbps =
      mbps === null ? null : (receivedRate_mbps(arrivals, fillMs(mbps)) * shell.countedBytes) / PACKET_BYTES;
    return { rtt_ms, rate_mbps };
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    await inside.stop();
  }
}

async function sendPairs(socket: Socket, every_ms: number): Promise<void> {
  const pair = Buffer.alloc(2 * PAYLOAD_BYTES);
  for (let sent = 0; sent < PAIRS; sent++) {
    socket.write(pair);
    await new Promise((resolve) => setTimeout(resolve, every_ms));
  }
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

/** What the interface inside had received by when, on any clock, and when the first byte of the filling was read. */
export interface Arrivals {
  readonly type: 'arrivals';
  readonly filledFrom_ms: number;
  readonly samples: readonly (readonly [at_ms: number, received_bytes: number])[];
}

/** Of whole packets, over the time in which the link was full: after it had settled, until the server stopped. */
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
