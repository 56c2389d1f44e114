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

/** Most pieces are written without waiting, so a few buffers suffice for many clients. */
const buffers = new BufferPool(PIECE_BYTES, 64);

export interface SentBody {
  /** The number of bytes passed to the kernel. */
  readonly bytes: number;
  /** Whether the kernel has accepted the whole body; false if the client was gone earlier, or the body failed. */
  readonly complete: boolean;
  /** Whether the body is incomplete because its source failed. */
  readonly bodyFailed: boolean;
  /**
   * The socket's position after the last byte, as returned by `position` when the kernel accepted that byte; undefined
   * without a body.
   */
  readonly endsAt: number | undefined;
}

/** Decides when a body may write to a shared socket, and how much. */
export interface Turns {
  /** Resolves when the body may write, with the most bytes that it may write. */
  next(): Promise<number>;
  /** Counts bytes that were written. */
  wrote(bytes: number): void;
  /** Counts written bytes that the socket has accepted. */
  took(bytes: number): void;
}

export interface SendOptions {
  /** Ends sending immediately and cancels the body, so that its source closes its files and connections. */
  readonly gone: AbortSignal;
  /** A client that accepts too little within this time also ends sending. */
  readonly patience: Milliseconds;
  /** The number of bytes passed to the socket. */
  readonly position?: () => number;
  /** The turns of a body that shares its socket, or the send buffer of one that has the socket for itself. */
  readonly socket: { readonly turns: Turns } | { readonly buffer: SendBuffer };
}

/** Writes a body as fast as the socket accepts data and no faster, and returns when the kernel has all of the body. */
export const sendBody = (
  body: ReadableStream<Uint8Array> | null,
  response: Writable,
  options: SendOptions,
): Promise<SentBody> =>
  // Only the reader of a file is retained until the client has the body.
  send(body && createReader(body, buffers), response, options);

/** A reader that records when the source of the body fails before the client disconnects. */
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
    // The client is gone, or the body failed. The connection is closed, which shows the client that the body is incomplete.
    cancel();
    response.destroy();
    // A client that disconnects right after the last byte is gone before Node has closed the response.
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
    // A chunk of a body may be longer than a piece.
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
