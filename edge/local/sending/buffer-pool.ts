/**
 * Reuses buffers of one size, because garbage collection of a new buffer per read would take longer than the read
 * itself.
 */
export class BufferPool {
  readonly #spare: ArrayBuffer[] = [];

  constructor(
    readonly bytes: number,
    /** The maximum number of unused buffers in the pool. */
    readonly most: number,
  ) {}

  take(): ArrayBuffer {
    return this.#spare.pop() ?? new ArrayBuffer(this.bytes);
  }

  give(buffer: ArrayBuffer): void {
    if (buffer.byteLength === this.bytes && this.#spare.length < this.most) this.#spare.push(buffer);
  }
}
