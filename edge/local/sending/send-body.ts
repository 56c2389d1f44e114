import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Milliseconds } from '../../../src/units.ts';
import { readerOf, type BodyReader } from './body-reader.ts';
import { BufferPool } from './buffer-pool.ts';
import { ClientPatience } from './client-patience.ts';

/** What is read and written at once: a thousand clients whose kernel buffers are full hold one each. */
export const PIECE_BYTES = 64 * 1024;

/** Most wait for nobody, so a few go from hand to hand. */
const buffers = new BufferPool(PIECE_BYTES, 64);

export interface SentBody {
  /** Handed to the kernel. */
  readonly bytes: number;
  /** False when the client is gone or the body failed. */
  readonly complete: boolean;
}

/** When a body that shares its socket with others may write, and how much. */
export interface Turns {
  /** Waits until it may, and says how many bytes at most. */
  next(): Promise<number>;
  /** So many were written, */
  wrote(bytes: number): void;
  /** and so many of these the socket has taken. */
  took(bytes: number): void;
}

export interface SendOptions {
  /** Ends it at once and cancels the body, so that whoever makes it lets go of its files and connections. */
  readonly gone: AbortSignal;
  /** So does a client that takes too little within so long. */
  readonly patience: Milliseconds;
  /** One piece after the other when not given. */
  readonly turns?: Turns;
}

/** Writes a body as fast as the socket takes it and no faster, and returns when the kernel has all of it. */
export async function sendBody(
  body: ReadableStream<Uint8Array> | null,
  response: Writable,
  { gone, patience, turns = new OneByOne() }: SendOptions,
): Promise<SentBody> {
  const reader = body && readerOf(body, buffers);
  const cancel = () => reader?.cancel();
  gone.addEventListener('abort', cancel, { once: true });
  const client = new ClientPatience(patience, gone);
  const progress = { bytes: 0 };
  try {
    gone.throwIfAborted();
    if (reader) await sendPieces(reader, response, turns, client, progress);
    gone.throwIfAborted();
    const closed = once(response, 'close');
    closed.catch(() => undefined);
    response.end();
    await client.wait(closed);
    return { bytes: progress.bytes, complete: true };
  } catch {
    // Either the client is gone, or the body failed: an incomplete response ends with its connection.
    cancel();
    response.destroy();
    return { bytes: progress.bytes, complete: false };
  } finally {
    gone.removeEventListener('abort', cancel);
  }
}

async function sendPieces(
  reader: BodyReader,
  response: Writable,
  turns: Turns,
  client: ClientPatience,
  progress: { bytes: number },
): Promise<void> {
  for (;;) {
    const most = await client.wait(turns.next());
    const chunk = await reader.read(most);
    client.gone.throwIfAborted();
    if (chunk === null) return;
    const { bytes } = chunk;
    // Some bodies come in one chunk, however long.
    for (let from = 0; from < bytes.length;) {
      const allowed = from === 0 ? most : await client.wait(turns.next());
      const piece = bytes.subarray(from, from + allowed);
      from += piece.length;
      const isLast = from === bytes.length;
      progress.bytes += piece.length;
      turns.wrote(piece.length);
      response.write(piece, (error) => {
        client.took(piece.length);
        turns.took(piece.length);
        if (isLast && !error) chunk.release();
      });
    }
  }
}

/** The turns of a body that has its socket for itself: the next piece once the socket has taken the last. */
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
