import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { ByteRange } from '../byte-range.ts';
import type { CachedRead } from './kernel/cached-read.ts';

/** The chunk size for readers that provide no buffer. */
const CHUNK_BYTES = 64 * 1024;

/**
 * A file that is not read for this long is closed until the next read, so that a client that closes its window occupies
 * no descriptor. At 524 kbit/s or more, a piece of 64 kB (524 kbit) is read at least once per second.
 */
const IDLE_MS = 2000;

/** Opens a path that has already been checked. Does not follow symbolic links. */
export const openFile = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW);

/** The properties that identify a version of a file. */
type Version = Pick<Stats, 'ino' | 'size' | 'mtimeMs'>;

/**
 * A part of a file, which is read sequentially. The file is opened on the first read, and closed after an idle period.
 */
export class FilePart {
  readonly #version: Version;
  readonly #idle: NodeJS.Timeout;
  #handle: FileHandle | null;
  #isReading = false;
  #isClosed = false;
  #position: number;

  constructor(
    readonly path: string,
    { ino, size, mtimeMs }: Version,
    handle: FileHandle,
    readonly range: ByteRange,
    readonly cachedRead: CachedRead,
  ) {
    this.#version = { ino, size, mtimeMs };
    this.#handle = handle;
    this.#position = range.first;
    this.#idle = setTimeout(() => this.#closeIdle(), IDLE_MS).unref();
  }

  /** The number of bytes that have not been read. */
  get left(): number {
    return this.range.last + 1 - this.#position;
  }

  /**
   * Reads the next bytes if they are in the kernel's page cache. Returns their number; 0 if there are none, or the file
   * is not open.
   */
  readCached(into: Uint8Array): number {
    if (this.#isReading || this.#handle === null) return 0;
    const length = Math.min(into.byteLength, this.left);
    const bytesRead = this.cachedRead(this.#handle.fd, into.subarray(0, length), this.#position);
    if (bytesRead > 0) this.#advance(bytesRead);
    return bytesRead;
  }

  /** Reads the next bytes of this part, and returns their number. Closes the file after the last byte. */
  async read(into: Uint8Array): Promise<number> {
    this.#isReading = true;
    try {
      this.#handle ??= await this.#reopen();
      // The file may have been closed while it was being opened.
      if (this.#isClosed) throw new Error('the file is closed');
      const length = Math.min(into.byteLength, this.left);
      const { bytesRead } = await this.#handle.read(into, 0, length, this.#position);
      if (length > 0 && bytesRead === 0) throw new Error('the file became shorter while it was served');
      this.#advance(bytesRead);
      return bytesRead;
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      this.#isReading = false;
    }
  }

  #advance(bytesRead: number): void {
    this.#position += bytesRead;
    if (this.left > 0) this.#idle.refresh();
    else void this.close().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#closeHandle();
  }

  #closeIdle(): void {
    if (!this.#isReading) void this.#closeHandle().catch(() => undefined);
  }

  async #closeHandle(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  async #reopen(): Promise<FileHandle> {
    const handle = await openFile(this.path);
    const now = await handle.stat();
    const { ino, size, mtimeMs } = this.#version;
    if (now.ino === ino && now.size === size && now.mtimeMs === mtimeMs) return handle;
    await handle.close();
    throw new Error('the file changed while it was served');
  }
}

const parts = new WeakMap<ReadableStream, FilePart>();

/**
 * Creates a body from a part of a file. It is read only on demand, into the reader's own buffer. The file is closed at
 * the end, on error and on cancellation.
 */
export function fileBody(part: FilePart): ReadableStream<Uint8Array> {
  const source: UnderlyingByteSource = {
    type: 'bytes',
    async pull(controller) {
      const { byobRequest } = controller;
      const view = byobRequest?.view;
      const into = view
        ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
        : new Uint8Array(Math.min(CHUNK_BYTES, part.left));
      const bytesRead = await part.read(into);
      if (bytesRead > 0 && byobRequest) byobRequest.respond(bytesRead);
      else if (bytesRead > 0) controller.enqueue(into.subarray(0, bytesRead));
      if (part.left > 0) return;
      controller.close();
      // At the end, return the reader's buffer without data.
      if (bytesRead === 0) byobRequest?.respond(0);
    },
    cancel: () => part.close(),
  };
  const body = new ReadableStream(source);
  parts.set(body, part);
  return body;
}

/**
 * Returns the file part of a body that `fileBody` created, unless the body is already being read. A busy server reads
 * the file directly, because each read from a stream leaves at least a kilobyte of garbage.
 */
export const getFilePart = (body: ReadableStream): FilePart | undefined =>
  body.locked ? undefined : parts.get(body);
