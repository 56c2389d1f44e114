import { getFilePart, type FilePart } from '../file-part.ts';
import type { BufferPool } from './buffer-pool.ts';
import { ConcurrencyLimit } from './few-at-once.ts';

/**
 * Limits concurrent reads from disk, because each read has a buffer. Node has four threads for reading, so more reads
 * would wait anyway.
 */
const diskReads = new ConcurrencyLimit(8);

export interface Chunk {
  readonly bytes: Uint8Array;
  /** Returns the memory to the pool. Call it when the bytes are not needed any more. */
  release(): void;
}

/** A body, read chunk by chunk. */
export interface BodyReader {
  /**
   * Reads a chunk; null at the end. The chunk has at most `most` bytes if the body is a file or another body that
   * supports limits.
   */
  read(most: number): Promise<Chunk | null>;
  /** Reads a chunk if it is already in memory, or else returns null. */
  readCached?(most: number): Chunk | null;
  /** Cancels the body, so that its source closes its files and connections. */
  cancel(): void;
}

/**
 * Creates a reader. It reads into buffers of the pool if the body supports this; otherwise, the body provides its own
 * buffers.
 */
export function createReader(body: ReadableStream<Uint8Array>, pool: BufferPool): BodyReader {
  const part = getFilePart(body);
  if (part) return fileReader(part, pool);
  const cancel = (reader: { cancel(): Promise<void> }) => () => void reader.cancel().catch(() => undefined);
  try {
    const reader = body.getReader({ mode: 'byob' });
    return {
      async read(most) {
        const { value, done } = await reader.read(viewFor(most, pool));
        // Return `value.buffer` to the pool, because a read transfers the memory to this new buffer object.
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

function fileReader(part: FilePart, pool: BufferPool): BodyReader {
  const toChunk = (view: Uint8Array<ArrayBuffer>, length: number): Chunk => ({
    bytes: view.subarray(0, length),
    release: () => pool.give(view.buffer),
  });
  return {
    async read(most) {
      if (part.left === 0) {
        await part.close();
        return null;
      }
      return diskReads.run(async () => {
        const view = viewFor(Math.min(most, part.left), pool);
        return toChunk(view, await part.read(view));
      });
    },
    readCached(most) {
      if (part.left === 0) return null;
      const view = viewFor(Math.min(most, part.left), pool);
      const bytesRead = part.readCached(view);
      if (bytesRead > 0) return toChunk(view, bytesRead);
      pool.give(view.buffer);
      return null;
    },
    cancel: () => void part.close().catch(() => undefined),
  };
}

/**
 * Returns a view for a read. Small pieces get their own memory, because each would occupy an entire buffer of the pool
 * until it is sent.
 */
const viewFor = (most: number, pool: BufferPool): Uint8Array<ArrayBuffer> =>
  most <= pool.bytes / 4 ? new Uint8Array(most) : new Uint8Array(pool.take(), 0, Math.min(most, pool.bytes));
