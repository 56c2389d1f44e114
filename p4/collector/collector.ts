/* The collector: a UDP socket whose buffer holds seconds of postcards, so that a busy process loses none. */
import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import { once } from 'node:events';
import { monotonic } from '../clock.ts';
import { kernelDrops } from './kernel-drops.ts';
import { Numbering } from './numbering.ts';
import { parsePostcard } from './postcard.ts';
import type { Malformed, Postcard } from './postcard.ts';
import { enlargeReceiveBuffer } from './receive-buffer.ts';

export interface CollectorStats {
  /** Number of postcards received. */
  readonly received: number;
  /** Datagrams that are not valid postcards, by reason. */
  readonly malformed: Readonly<Record<Malformed, number>>;
  /** Postcards that never arrived, inferred from gaps in their numbers. Includes those that the kernel dropped. */
  readonly lost: number;
  /** Datagrams that the kernel dropped because the socket's buffer was full. */
  readonly droppedByKernel: number;
  /**
   * The minimum time between a packet leaving the queue, on the switch's clock, and the arrival of its postcard on
   * CLOCK_MONOTONIC, in seconds. Below a millisecond, both clocks are the same. Otherwise, add it to the switch's times
   * to convert them to CLOCK_MONOTONIC; the result is late by at most the delay of the fastest postcard. Undefined
   * before the first postcard.
   */
  readonly clockOffset_s: number | undefined;
  readonly receiveBufferBytes: number;
}

interface CollectorOptions {
  /** The UDP port to listen at; 0 picks any free port. */
  readonly port: number;
  readonly host?: string;
  readonly onPostcard: (postcard: Postcard) => void;
}

interface Collector {
  readonly port: number;
  stats(): CollectorStats;
  /** Receives all datagrams that have arrived, then stops. Later calls return the same result. */
  close(): Promise<CollectorStats>;
}

/**
 * Size in bytes to request for the receive buffer; the kernel doubles it. 64 MiB hold about 87,000 postcards, which
 * occupy 768 bytes each: 7 s of full frames at 100 Mbit/s, with an ACK for every second frame.
 */
const RECEIVE_BUFFER_BYTES = 32 * 2 ** 20;
/** Maximum milliseconds until a waiting datagram is read. */
const DRAIN_INTERVAL_MS = 20;

export async function startCollector(options: CollectorOptions): Promise<Collector> {
  const { port: wanted, host = '0.0.0.0', onPostcard } = options;
  const socket = await bind(wanted, host);
  const { port } = socket.address();
  const receiveBufferBytes = enlargeReceiveBuffer(socket, RECEIVE_BUFFER_BYTES);
  const numbering = new Numbering();
  const malformed: Record<Malformed, number> = { length: 0, version: 0, reserved: 0 };
  let received = 0;
  let datagrams = 0;
  let clockOffset_s: number | undefined;

  socket.on('message', (datagram) => {
    datagrams++;
    const postcard = parsePostcard(datagram);
    if (typeof postcard === 'string') {
      malformed[postcard]++;
      return;
    }
    received++;
    numbering.record(postcard.switchId, postcard.number);
    const offset_s = monotonic() / 1e9 - postcard.t_s - postcard.queueTime / 1e6;
    clockOffset_s = Math.min(clockOffset_s ?? Infinity, offset_s);
    onPostcard(postcard);
  });

  const stats = (): CollectorStats => ({
    received,
    malformed: { ...malformed },
    lost: numbering.lost,
    droppedByKernel: kernelDrops(port),
    clockOffset_s,
    receiveBufferBytes,
  });

  const drainAndClose = async (): Promise<CollectorStats> => {
    await new Promise((resolve) => setTimeout(resolve, DRAIN_INTERVAL_MS));
    // A connected socket receives datagrams only from its peer, which here is the socket itself. No more datagrams join
    // the buffer, so draining it ends even if a switch keeps sending.
    socket.connect(port, host.includes(':') ? '::1' : '127.0.0.1');
    await once(socket, 'connect');
    for (let before = -1; before !== datagrams;) {
      before = datagrams;
      await new Promise((resolve) => setTimeout(resolve, DRAIN_INTERVAL_MS));
    }
    const last = stats();
    socket.close();
    await once(socket, 'close');
    return last;
  };
  let closing: Promise<CollectorStats> | undefined;
  return { port, stats, close: () => (closing ??= drainAndClose()) };
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another program has it; choose another with --port',
  EACCES: 'no permission; ports below 1024 require root',
  EADDRNOTAVAIL: 'this machine does not have the address',
};

async function bind(port: number, host: string): Promise<Socket> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  try {
    socket.bind(port, host);
    await once(socket, 'listening');
    return socket;
  } catch (error) {
    socket.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
    throw new Error(`postcards cannot be received at ${host} port ${port}: ${reason}`, { cause: error });
  }
}
