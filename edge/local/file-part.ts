import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { ByteRange } from '../byte-range.ts';

/** The size of a chunk for a reader that brings no buffer of its own. */
const CHUNK_BYTES = 64 * 1024;

/**
 * A file that is not read for this long is closed until it is read again, so that a client that shuts its window costs
 * no descriptor. For a paced client a piece is read every second or so.
 */
const IDLE_MS = 2000;

/** Opens a path that has been checked; links are not followed. */
export const openFile = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW);

/** A file that is opened when it is read, and closed when it has not been read for a while. */
class LazyFile {
  #timer: NodeJS.Timeout | null = null;

  constructor(
    readonly path: string,
    readonly stat: Stats,
    private handle: FileHandle | null,
  ) {
    this.#closeWhenIdle();
  }

  async read(into: Uint8Array, length: number, position: number): Promise<number> {
    this.#keepOpen();
    this.handle ??= await this.#reopen();
    const { bytesRead } = await this.handle.read(into, 0, length, position);
    this.#closeWhenIdle();
    if (length > 0 && bytesRead === 0) throw new Error('the file became shorter while it was served');
    return bytesRead;
  }

  async close(): Promise<void> {
    this.#keepOpen();
    const { handle } = this;
    this.handle = null;
    await handle?.close();
  }

  async #reopen(): Promise<FileHandle> {
    const handle = await openFile(this.path);
    const now = await handle.stat();
    const { ino, size, mtimeMs } = this.stat;
    if (now.ino === ino && now.size === size && now.mtimeMs === mtimeMs) return handle;
    await handle.close();
    throw new Error('the file changed while it was served');
  }

  #keepOpen(): void {
    clearTimeout(this.#timer ?? undefined);
  }

  #closeWhenIdle(): void {
    this.#timer = setTimeout(() => void this.close().catch(() => undefined), IDLE_MS).unref();
  }
}

/**
 * A part of an open file as a body, read only on demand and into the reader's own buffer. Closes the file at the end, on
 * error and on cancellation.
 */
export function filePart(
  path: string,
  stat: Stats,
  handle: FileHandle,
  { first, last }: ByteRange,
): ReadableStream<Uint8Array> {
  const file = new LazyFile(path, stat, handle);
  let position = first;
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      try {
        const { byobRequest } = controller;
        const view = byobRequest?.view;
        const left = last + 1 - position;
        const into = view
          ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
          : new Uint8Array(Math.min(CHUNK_BYTES, left));
        const bytesRead = await file.read(into, Math.min(into.byteLength, left), position);
        position += bytesRead;
        const isEnd = position > last;
        if (isEnd) await file.close();
        if (bytesRead > 0 && byobRequest) byobRequest.respond(bytesRead);
        else if (bytesRead > 0) controller.enqueue(into.subarray(0, bytesRead));
        if (!isEnd) return;
        controller.close();
        // At the end of the file, the reader's buffer is returned empty.
        if (bytesRead === 0) byobRequest?.respond(0);
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    cancel: () => file.close(),
  });
}
