import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BitWriter, readBig, readBits, readBytes, writeBig } from './bits.ts';

/** Random values with widths, like consecutive header fields. */
const fields = fc.array(
  fc
    .integer({ min: 1, max: 150 })
    .chain((width) =>
      fc.record({ width: fc.constant(width), value: fc.bigInt(0n, (1n << BigInt(width)) - 1n) }),
    ),
  { maxLength: 12 },
);

test('reads back written values at any width and offset', () => {
  fc.assert(
    fc.property(fields, (list) => {
      const writer = new BitWriter();
      for (const { width, value } of list)
        if (width <= 32) writer.put(Number(value), width);
        else writer.putBig(value, width);
      const bytes = writer.view();
      let at = 0;
      for (const { width, value } of list) {
        expect(readBig(bytes, at, width)).toBe(value);
        if (width <= 32) expect(readBits(bytes, at, width)).toBe(Number(value));
        at += width;
      }
    }),
  );
});

test('reads and writes whole bytes like BigInt arithmetic', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), (data) => {
      const value = BigInt(`0x${Buffer.from(data).toString('hex')}`);
      expect(readBytes(data, 0, data.length)).toBe(value);
      const written = new Uint8Array(data.length + 2);
      writeBig(written, 1, value, data.length);
      expect([...written]).toEqual([0, ...data, 0]);
    }),
  );
});
