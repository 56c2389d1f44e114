import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Milliseconds } from '../../../src/units.ts';
import { createReader, type BodyReader } from './body-reader.ts';
import { BufferPool } from './buffer-pool.ts';
import { ClientTimeout } from './client-patience.ts';
import type { SendBuffer } from './paced-room.ts';
import { PIECE_BYTES } from './piece-bytes.ts';
import { Progress } from './progress.ts';
import { sendAlone } from './send-alone.ts';

/** The buffers of all clients. A few suffice for many clients, because most pieces are written without waiting. */
const buffers = new BufferPool(PIECE_BYTES, 64);

export interface SentBody {
  /** The number of bytes written to the response. If incomplete, the kernel may have accepted fewer. */
  readonly bytes: number;
  /** Whether the kernel has accepted the entire body; false if the client disconnected before, or the body failed. */
  readonly complete: boolean;
  /** Whether the body is incomplete because its source failed. */
  readonly bodyFailed: boolean;
  /** The number of bytes passed to the socket up to the body's last byte; undefined without a body. */
  readonly endsAt: number | undefined;
}

/** Decides when a body may write to a shared socket, and how much. */
export interface Turns {
  /** Resolves to the maximum number of bytes when the body may write. */
  next(): Promise<number>;
  /** Counts bytes that were written. */
  wrote(bytes: number): void;
  /** Counts written bytes that the socket has accepted. */
  took(bytes: number): void;
}

export interface SendOptions {
  /** When aborted, ends sending immediately and cancels the body, so that its source closes files and connections. */
  readonly gone: AbortSignal;
  /** Sending also ends if the client accepts too little within this time. */
  readonly patience: Milliseconds;
  /** Returns the number of bytes passed to the socket since it was opened. */
  readonly position?: () => number;
  /** The turns of a body on a shared socket, or the send buffer of a socket that is not shared. */
  readonly socket: { readonly turns: Turns } | { readonly buffer: SendBuffer };
}

/** Writes a body as fast as the socket accepts data. Resolves when the kernel has accepted the entire body. */
export const sendBody = (
  body: ReadableStream<Uint8Array> | null,
  response: Writable,
  options: SendOptions,
): Promise<SentBody> =>
  // Keep only the reader, not the body, until the client has received everything.
  send(body && createReader(body, buffers), response, options);

/** Wraps a reader to record whether the source of the body fails before the client disconnects. */
const noting = (reader: BodyReader, progress: Progress, gone: AbortSignal): BodyReader => ({
  ...reader,
  read: (most) =>
    reader.read(most).catch((error: unknown) => {
      progress.bodyFailed = !gone.aborted;
      throw error;
    }),
});

async function send(
  source: BodyReader | null,
  response: Writable,
  { gone, patience, position, socket }: SendOptions,
): Promise<SentBody> {
  const progress = new Progress(position);
  const reader = source && noting(source, progress, gone);
  const cancel = () => reader?.cancel();
  gone.addEventListener('abort', cancel, { once: true });
  const client = new ClientTimeout(patience, gone);
  try {
    gone.throwIfAborted();
    if (reader && 'turns' in socket) {
      await sendInTurns(reader, response, socket.turns, client, progress);
    } else if (reader && 'buffer' in socket) {
      await sendAlone(reader, response, socket.buffer, client, progress);
    }
    gone.throwIfAborted();
    const closed = once(response, 'close');
    closed.catch(() => undefined);
    response.end();
    progress.ended = true;
    await client.wait(closed);
    return { bytes: progress.bytes, complete: true, bodyFailed: false, endsAt: progress.endsAt };
  } catch {
    // The client is gone, or the body failed. Close the connection, which shows the client that the body is incomplete.
    cancel();
    response.destroy();
    // The response may still be complete, if the client has disconnected right after the last byte.
    const { bytes, taken, endsAt, ended, bodyFailed } = progress;
    return { bytes, complete: ended && taken === bytes, bodyFailed, endsAt };
  } finally {
    client.end();
    gone.removeEventListener('abort', cancel);
  }
}

async function sendInTurns(
  reader: BodyReader,
  response: Writable,
  turns: Turns,
  client: ClientTimeout,
  progress: Progress,
): Promise<void> {
  for (;;) {
    const most = await client.wait(turns.next());
    const chunk = await reader.read(most);
    client.gone.throwIfAborted();
    if (chunk === null) return;
    const { bytes } = chunk;
    // Write a chunk in several pieces if it is longer than allowed.
    for (let from = 0; from < bytes.length;) {
      const allowed = from === 0 ? most : await client.wait(turns.next());
      const piece = bytes.subarray(from, from + allowed);
      from += piece.length;
      const isLast = from === bytes.length;
      progress.wrote(piece.length);
      turns.wrote(piece.length);
      response.write(piece, (error) => {
        if (!error) progress.took(piece.length);
        client.took(piece.length);
        turns.took(piece.length);
        if (isLast && !error) chunk.release();
      });
    }
  }
}
