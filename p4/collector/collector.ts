/* The collector: a UDP socket with room for seconds of postcards, so that a busy process loses none. */
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
  /** Postcards. */
  readonly received: number;
  /** Datagrams that are not postcards, counted by what is wrong with them. */
  readonly malformed: Readonly<Record<Malformed, number>>;
  /** Postcards that were sent, by their numbers, and never came: those the kernel dropped are among them. */
  readonly lost: number;
  /** Datagrams that found the socket's buffer full. */
  readonly droppedByKernel: number;
  /**
   * The least time from a postcard's packet leaving the queue, by the switch's clock, to its arrival here, by
   * CLOCK_MONOTONIC, in seconds. Below a millisecond: they are the same clock. Else add it to the switch's times to
   * have them in CLOCK_MONOTONIC, late by no more than the fastest postcard took. Missing before the first one.
   */
  readonly clockOffset_s: number | undefined;
  readonly receiveBufferBytes: number;
}

interface CollectorOptions {
  /** 0 for any that is free. */
  readonly port: number;
  readonly host?: string;
  readonly onPostcard: (postcard: Postcard) => void;
}

interface Collector {
  readonly port: number;
  stats(): CollectorStats;
  /** Takes what has arrived, however much, and stops; a second call returns the same result. */
  close(): Promise<CollectorStats>;
}

/** Bytes: room for about 80,000 postcards, 7 s at 100 Mbit/s. The value is our choice, and the kernel doubles it. */
const RECEIVE_BUFFER = 32 * 2 ** 20;
/** Milliseconds in which a datagram that waits is taken. */
const QUIET = 20;

export async function startCollector(options: CollectorOptions): Promise<Collector> {
  const { port: wanted, host = '0.0.0.0', onPostcard } = options;
  const socket = await bind(wanted, host);
  const { port } = socket.address();
  const receiveBufferBytes = enlargeReceiveBuffer(socket, RECEIVE_BUFFER);
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
    numbering.see(postcard.switchId, postcard.number);
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
    await new Promise((resolve) => setTimeout(resolve, QUIET));
    // From now on it takes datagrams of itself alone, that is, none: what waits has an end, even if a switch goes on.
    socket.connect(port, host.includes(':') ? '::1' : '127.0.0.1');
    await once(socket, 'connect');
    for (let before = -1; before !== datagrams;) {
      before = datagrams;
      await new Promise((resolve) => setTimeout(resolve, QUIET));
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
  EACCES: 'no permission; ports below 1024 want root',
  EADDRNOTAVAIL: 'the address is none of this machine',
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
