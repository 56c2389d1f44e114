import { readBig, readBits } from './bits.ts';

/** The packet during parsing: core.p4's `packet_in`. */
export class PacketIn {
  bytes: Uint8Array = new Uint8Array(0);
  private position = 0;
  private readonly errors: { tooShort: () => never; headerTooShort: () => never; invalid: () => never };

  constructor(errors: { tooShort: () => never; headerTooShort: () => never; invalid: () => never }) {
    this.errors = errors;
  }

  reset(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.position = 0;
  }

  get length(): number {
    return this.bytes.length;
  }

  /** Advances by `bits` and returns the previous position. Rejects the packet if it is too short. */
  take(bits: number): number {
    const at = this.peek(bits);
    this.position = at + bits;
    return at;
  }

  peek(bits: number): number {
    if (this.position + bits > this.bytes.length * 8) this.errors.tooShort();
    return this.position;
  }

  /**
   * Like `take`, for a header with a varbit field of `size` bits. `size` must be at most `most - fixed`. The errors
   * have the order of P4_16 §13.8.2.
   */
  takeVariable(fixed: number, size: number, most: number): number {
    if (size % 8) this.errors.invalid();
    this.peek(fixed + size);
    if (size > most - fixed) this.errors.headerTooShort();
    return this.take(fixed + size);
  }

  advance(bits: number): void {
    this.take(bits);
  }

  read(at: number, width: number): number {
    return readBits(this.bytes, at, width);
  }

  readBig(at: number, width: number): bigint {
    return readBig(this.bytes, at, width);
  }

  /** The bytes that the parser did not read, from the next byte boundary. */
  rest(): Uint8Array {
    return this.bytes.subarray((this.position + 7) >>> 3);
  }
}
