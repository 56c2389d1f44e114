import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Milliseconds } from '../../src/units.ts';

/** What is written at once. Some bodies come in one piece, however long. */
const PIECE_BYTES = 256 * 1024;

export interface SentBody {
  /** Handed to the kernel. */
  readonly bytes: number;
  /** False when the client is gone or the body failed. */
  readonly complete: boolean;
}

/**
 * Writes a body as fast as the socket takes it and no faster, and returns when the kernel has all of it.
 * `gone` ends it at once and cancels the body, so that whoever makes it lets go of its files and connections.
 * So does a client that does not take a piece within `patience`.
 */
export async function sendBody(
  body: ReadableStream<Uint8Array> | null,
  response: Writable,
  gone: AbortSignal,
  patience: Milliseconds,
): Promise<SentBody> {
  let bytes = 0;
  const reader = body?.getReader();
  const cancel = () => void reader?.cancel().catch(() => undefined);
  gone.addEventListener('abort', cancel, { once: true });
  const taken = async (event: 'drain' | 'close') => {
    const tooLong = new AbortController();
    const giveUp = () => tooLong.abort();
    const timer = setTimeout(giveUp, patience);
    gone.addEventListener('abort', giveUp, { once: true });
    try {
      await once(response, event, { signal: tooLong.signal });
    } finally {
      clearTimeout(timer);
      gone.removeEventListener('abort', giveUp);
    }
  };
  try {
    for (;;) {
      gone.throwIfAborted();
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      bytes += chunk.value.length;
      for (let from = 0; from < chunk.value.length; from += PIECE_BYTES) {
        if (!response.write(chunk.value.subarray(from, from + PIECE_BYTES))) await taken('drain');
      }
    }
    gone.throwIfAborted();
    const closed = taken('close');
    response.end();
    await closed;
    return { bytes, complete: true };
  } catch {
    // Either the client is gone, or the body failed: an incomplete response ends with its connection.
    cancel();
    response.destroy();
    return { bytes, complete: false };
  } finally {
    gone.removeEventListener('abort', cancel);
  }
}
