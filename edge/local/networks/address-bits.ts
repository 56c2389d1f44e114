import { isIPv4, isIPv6 } from 'node:net';

/** An address as a number, and its length in bits: 32 or 128. */
export interface AddressBits {
  readonly value: bigint;
  readonly width: 32 | 128;
}

/** The first 96 bits of an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2). */
const MAPPED = 0xffffn;

/** Parses an IP address. An IPv4-mapped IPv6 address becomes IPv4. Returns null for other text. */
export function addressBits(text: string): AddressBits | null {
  if (isIPv4(text)) return { value: ofParts(text.split('.'), 10, 8n), width: 32 };
  const address = text.replace(/%.*/, '');
  if (!isIPv6(address)) return null;
  // The URL parser normalizes an address to groups of hexadecimal digits, without a trailing IPv4 address.
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::', 2);
  const parseGroups = (part: string) => (part === '' ? [] : part.split(':'));
  const [first, last] = [parseGroups(before), parseGroups(after ?? '')];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const value = ofParts([...first, ...zeros, ...last], 16, 16n);
  return value >> 32n === MAPPED ? { value: value & 0xffff_ffffn, width: 32 } : { value, width: 128 };
}

const ofParts = (parts: readonly string[], base: 10 | 16, bits: bigint): bigint =>
  parts.reduce((value, part) => (value << bits) | BigInt(Number.parseInt(part, base)), 0n);
