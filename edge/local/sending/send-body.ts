import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Milliseconds } from '../../../src/units.ts';
import { readerOf, type BodyReader } from './body-reader.ts';
import { BufferPool } from './buffer-pool.ts';
import { ClientPatience } from './client-patience.ts';

/** The size of a piece that is read and written at once. Each client whose kernel buffer is full holds one in memory. */
export const PIECE_BYTES = 64 * 1024;

/** Most pieces are written without waiting, so a few buffers suffice for many clients. */
const buffers = new BufferPool(PIECE_BYTES, 64);

export interface SentBody {
  /** The bytes handed to the kernel. */
  readonly bytes: number;
  /** Whether the kernel has the whole body; false when the client was gone before, or the body failed. */
  readonly complete: boolean;
  /** The socket's position behind the last byte, as `position` said when the kernel had it; undefined without a body. */
  readonly endsAt: number | undefined;
}

/** Decides when a body may write to a socket that it shares with others, and how much. */
export interface Turns {
  /** Resolves when the body may write, with the most bytes that it may write. */
  next(): Promise<number>;
  /** Counts bytes that were written. */
  wrote(bytes: number): void;
  /** Counts written bytes that the socket has taken. */
  took(bytes: number): void;
}

export interface SendOptions {
  /** Ends sending at once and cancels the body, so that its source closes its files and connections. */
  readonly gone: AbortSignal;
  /** A client that takes too little within this time also ends sending. */
  readonly patience: Milliseconds;
  /** The number of bytes that the socket has been given. */
  readonly position?: () => number;
  /** When not given, the body has the socket for itself and writes one piece after the other. */
  readonly turns?: Turns;
}

/** Writes a body as fast as the socket takes it and no faster, and returns when the kernel has all of it. */
export async function sendBody(
  body: ReadableStream<Uint8Array> | null,
  response: Writable,
  { gone, patience, position, turns = new OneByOne() }: SendOptions,
): Promise<SentBody> {
  const reader = body && readerOf(body, buffers);
  const cancel = () => reader?.cancel();
  gone.addEventListener('abort', cancel, { once: true });
  const client = new ClientPatience(patience, gone);
  const progress: Progress = { bytes: 0, taken: 0, endsAt: undefined, ended: false };
  try {
    gone.throwIfAborted();
    if (reader) await sendPieces(reader, response, turns, client, progress, position);
    gone.throwIfAborted();
    const closed = once(response, 'close');
    closed.catch(() => undefined);
    response.end();
    progress.ended = true;
    await client.wait(closed);
    return { bytes: progress.bytes, complete: true, endsAt: progress.endsAt };
  } catch {
    // The client is gone, or the body failed. The connection is closed, which tells the client that the body is incomplete.
    cancel();
    response.destroy();
    // A client that hangs up as soon as it has the last byte is gone before Node has closed the response.
    const { bytes, taken, endsAt, ended } = progress;
    return { bytes, complete: ended && taken === bytes, endsAt };
  } finally {
    gone.removeEventListener('abort', cancel);
  }
}

interface Progress {
  /** The bytes that were written, and those of them that the kernel has taken. */
  bytes: number;
  taken: number;
  endsAt: number | undefined;
  ended: boolean;
}

async function sendPieces(
  reader: BodyReader,
  response: Writable,
  turns: Turns,
  client: ClientPatience,
  progress: Progress,
  position?: () => number,
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
      progress.bytes += piece.length;
      turns.wrote(piece.length);
      response.write(piece, (error) => {
        if (!error) {
          progress.taken += piece.length;
          progress.endsAt = position?.();
        }
        client.took(piece.length);
        turns.took(piece.length);
        if (isLast && !error) chunk.release();
      });
    }
  }
}

/** The turns of a body that has its socket for itself: each piece is written once the socket has taken the last one. */
class OneByOne implements Turns {
  #outstanding = 0;
  #proceed: (() => void) | null = null;

  async next(): Promise<number> {
    if (this.#outstanding > 0) await new Promise<void>((resolve) => (this.#proceed = resolve));
    return PIECE_BYTES;
  }

  wrote(): void {
    this.#outstanding += 1;
  }

  took(): void {
    this.#outstanding -= 1;
    if (this.#outstanding === 0) this.#proceed?.();
  }
}
