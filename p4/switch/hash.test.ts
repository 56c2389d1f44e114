import { expect, test } from 'vitest';
import { crc16, crc32, csum16, hashWithin, identity, xor16 } from './hash.ts';

const check = Uint8Array.from(Buffer.from('123456789'));

test('CRCs match their published check values', () => {
  expect(crc32(check)).toBe(0xcbf43926);
  expect(crc16(check)).toBe(0xbb3d);
});

test('csum16 matches the example of RFC 1071 §3', () => {
  // 0001 + f203 + f4f5 + f6f7 = 2ddf0, folded ddf2; its complement is 220d.
  expect(csum16(Uint8Array.from([0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]))).toBe(0x220d);
});

test('pads an odd last byte to a word as its high byte', () => {
  expect(csum16(Uint8Array.from([0x12]))).toBe(0xedff);
  expect(xor16(Uint8Array.from([0x12, 0x34, 0x56]))).toBe(0x4434);
});

test('identity uses eight bytes; hashes range from base to base + max - 1', () => {
  expect(identity(Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9]))).toBe(0x0102030405060708n);
  expect(hashWithin(17n, 100n, 5n)).toBe(102n);
  expect(hashWithin(17n, 100n, 0n)).toBe(100n);
});
