/* Reads and writes bit fields in bytes, most significant bit first, as on the wire. */

export function readBits(bytes: Uint8Array, offset: number, width: number): number {
  let value = 0;
  for (let at = offset, left = width; left > 0;) {
    const inByte = 8 - (at & 7);
    const count = left < inByte ? left : inByte;
    const part = ((bytes[at >>> 3] ?? 0) >>> (inByte - count)) & ((1 << count) - 1);
    value = value * 2 ** count + part;
    at += count;
    left -= count;
  }
  return value;
}

export function readBig(bytes: Uint8Array, offset: number, width: number): bigint {
  if (width <= 48) return BigInt(readBits(bytes, offset, width));
  let value = 0n;
  let at = offset;
  for (let left = width; left > 0;) {
    const count = left < 32 ? left : 32;
    value = (value << BigInt(count)) | BigInt(readBits(bytes, at, count));
    at += count;
    left -= count;
  }
  return value;
}

/** Reads `count` whole bytes as a BigInt. */
export function readBytes(bytes: Uint8Array, at: number, count: number): bigint {
  const end = at + count;
  let next = at + (count % 4);
  let head = 0;
  for (let i = at; i < next; i++) head = head * 256 + (bytes[i] ?? 0);
  // MAC addresses and timestamps have 48 bits, which a number holds exactly.
  if (head <= 0xffff && next < end) {
    head = head * 2 ** 32 + wordAt(bytes, next);
    next += 4;
  }
  let value = BigInt(head);
  for (; next < end; next += 4) value = (value << 32n) | BigInt(wordAt(bytes, next));
  return value;
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)) >>>
  0;

/** Writes a BigInt as `count` whole bytes. */
export function writeBig(bytes: Uint8Array, at: number, value: bigint, count: number): void {
  let rest = value;
  let end = at + count;
  for (; end - at > 4; end -= 4) {
    const low = Number(rest & 0xffffffffn);
    bytes[end - 1] = low;
    bytes[end - 2] = low >>> 8;
    bytes[end - 3] = low >>> 16;
    bytes[end - 4] = low >>> 24;
    rest >>= 32n;
  }
  for (let last = Number(rest & 0xffffffffn); end > at; last >>>= 8) bytes[--end] = last;
}

/** Appends bit fields to a buffer. The buffer grows as needed and is reused. */
export class BitWriter {
  bytes: Uint8Array = new Uint8Array(2048);
  private bits = 0;

  clear(): void {
    this.bits = 0;
  }

  /** Length in bytes. A partial last byte is padded with zeros and counts as one byte. */
  get length(): number {
    return (this.bits + 7) >>> 3;
  }

  /** Reserves `count` bytes and returns their offset in `bytes`, or -1 if the position is not at a byte boundary. */
  aligned(count: number): number {
    if (this.bits & 7) return -1;
    const at = this.bits >>> 3;
    this.bits += count * 8;
    this.reserve(this.length);
    return at;
  }

  put(value: number, width: number): void {
    this.reserve((this.bits + width + 7) >>> 3);
    for (let left = width; left > 0;) {
      const free = 8 - (this.bits & 7);
      const count = left < free ? left : free;
      const part = Math.floor(value / 2 ** (left - count)) & ((1 << count) - 1);
      const at = this.bits >>> 3;
      const kept = free === 8 ? 0 : (this.bytes[at] ?? 0);
      this.bytes[at] = kept | (part << (free - count));
      this.bits += count;
      left -= count;
    }
  }

  putBig(value: bigint, width: number): void {
    for (let left = width; left > 0;) {
      const count = left % 32 || 32;
      left -= count;
      this.put(Number((value >> BigInt(left)) & ((1n << BigInt(count)) - 1n)), count);
    }
  }

  putBytes(data: Uint8Array): void {
    const at = this.aligned(data.length);
    if (at >= 0) this.bytes.set(data, at);
    else for (const byte of data) this.put(byte, 8);
  }

  /** The written bytes, valid until the next `clear`. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(size: number): void {
    if (size <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(size, this.bytes.length * 2));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}
