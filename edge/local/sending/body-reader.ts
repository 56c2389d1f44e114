import type { BufferPool } from './buffer-pool.ts';

export interface Chunk {
  readonly bytes: Uint8Array;
  /** When nobody reads these bytes any more. */
  release(): void;
}

/** A body, read chunk by chunk. */
export interface BodyReader {
  /** At most as many bytes as asked for where the body knows how, as a file does; null at the end. */
  read(most: number): Promise<Chunk | null>;
  /** Whoever makes it lets go of its files and connections. */
  cancel(): void;
}

/** Reads into buffers of the pool where the body takes buffers; otherwise the chunks are the body's own. */
export function readerOf(body: ReadableStream<Uint8Array>, pool: BufferPool): BodyReader {
  const cancel = (reader: { cancel(): Promise<void> }) => () => void reader.cancel().catch(() => undefined);
  try {
    const reader = body.getReader({ mode: 'byob' });
    return {
      async read(most) {
        // A small piece, of one of many streams, would keep a whole buffer from the others for as long as it waits.
        const view =
          most <= pool.bytes / 4
            ? new Uint8Array(most)
            : new Uint8Array(pool.take(), 0, Math.min(most, pool.bytes));
        const { value, done } = await reader.read(view);
        // The memory moves from buffer to buffer: this one is the one to keep.
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
