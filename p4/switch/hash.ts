/* The algorithms of v1model's HashAlgorithm, applied to bytes. */

export type HashName = 'crc32' | 'crc16' | 'identity' | 'csum16' | 'xor16';

/** CRC-32/ISO-HDLC: polynomial 0x04c11db7, reflected, initial and final value all ones. */
export function crc32(bytes: Uint8Array): number {
  return (reflected(bytes, 0xedb88320, 0xffffffff) ^ 0xffffffff) >>> 0;
}

/** CRC-16/ARC: polynomial 0x8005, reflected, initial value 0. */
export function crc16(bytes: Uint8Array): number {
  return reflected(bytes, 0xa001, 0);
}

function reflected(bytes: Uint8Array, polynomial: number, initial: number): number {
  let crc = initial;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  }
  return crc >>> 0;
}

/** The ones' complement of the ones' complement sum of 16-bit words: RFC 1071. */
export function csum16(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += word(bytes, at);
  while (sum > 0xffff) sum = (sum & 0xffff) + Math.floor(sum / 0x10000);
  return ~sum & 0xffff;
}

export function xor16(bytes: Uint8Array): number {
  let value = 0;
  for (let at = 0; at < bytes.length; at += 2) value ^= word(bytes, at);
  return value;
}

const word = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

/** Returns the first eight bytes as a number. */
export function identity(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes.subarray(0, 8)) value = (value << 8n) | BigInt(byte);
  return value;
}

export function hash(name: HashName, bytes: Uint8Array): bigint {
  switch (name) {
    case 'crc32':
      return BigInt(crc32(bytes));
    case 'crc16':
      return BigInt(crc16(bytes));
    case 'csum16':
      return BigInt(csum16(bytes));
    case 'xor16':
      return BigInt(xor16(bytes));
    case 'identity':
      return identity(bytes);
  }
}

/** Maps a hash value to [base, base + max - 1] as v1model's `hash` does; to base if max is 0. */
export const hashWithin = (value: bigint, base: bigint, max: bigint): bigint =>
  max === 0n ? base : base + (value % max);
