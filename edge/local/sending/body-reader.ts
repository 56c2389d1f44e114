import type { BufferPool } from './buffer-pool.ts';

export interface Chunk {
  readonly bytes: Uint8Array;
  /** Returns the memory; to be called when these bytes are no longer needed. */
  release(): void;
}

/** A body, read chunk by chunk. */
export interface BodyReader {
  /** Reads a chunk, of at most `most` bytes if the body supports it, as a file does; null at the end. */
  read(most: number): Promise<Chunk | null>;
  /** Cancels the body, so that its source closes its files and connections. */
  cancel(): void;
}

/** Reads into buffers of the pool if the body supports that; otherwise the chunks are the body's own. */
export function readerOf(body: ReadableStream<Uint8Array>, pool: BufferPool): BodyReader {
  const cancel = (reader: { cancel(): Promise<void> }) => () => void reader.cancel().catch(() => undefined);
  try {
    const reader = body.getReader({ mode: 'byob' });
    return {
      async read(most) {
        // A small piece gets memory of its own: it would occupy a whole buffer of the pool while it waits to be sent.
        const view =
          most <= pool.bytes / 4
            ? new Uint8Array(most)
            : new Uint8Array(pool.take(), 0, Math.min(most, pool.bytes));
        const { value, done } = await reader.read(view);
        // Reading transfers the memory to a new buffer, so this one must be returned to the pool.
        const release = () => {
          if (value) pool.give(value.buffer);
        };
        if (!done) return { bytes: value, release };
        release();
        return null;
      },
      cancel: cancel(reader),
    };
  } catch {
    const reader = body.getReader();
    return {
      async read() {
        const { value, done } = await reader.read();
        return done ? null : { bytes: value, release: () => undefined };
      },
      cancel: cancel(reader),
    };
  }
}
