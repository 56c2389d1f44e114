/** Buffers of one size that are used again: a fresh one for each read costs more in garbage than the read itself. */
export class BufferPool {
  readonly #spare: ArrayBuffer[] = [];

  constructor(
    readonly bytes: number,
    /** More than so many that nobody uses are let go. */
    readonly most: number,
  ) {}

  take(): ArrayBuffer {
    return this.#spare.pop() ?? new ArrayBuffer(this.bytes);
  }

  give(buffer: ArrayBuffer): void {
    if (buffer.byteLength === this.bytes && this.#spare.length < this.most) this.#spare.push(buffer);
  }
}
