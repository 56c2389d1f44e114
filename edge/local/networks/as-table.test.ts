import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAsTableFile, parseAsTable, readAsTableFile } from './as-table.ts';

const TABLE = `
# documentation prefixes and numbers: RFC 5737, 3849, 5398
192.0.2.0/24      64496
192.0.2.128/25    AS64497   # a part of it is somebody else's
198.51.100.0\t24\t64498_64499
203.0.113.0 24 64500,64501
2001:db8::/32 65551
2001:db8:1::/48 4294967295
`;

describe('a table of prefixes', () => {
  const asOf = parseAsTable(TABLE);

  it.each([
    ['192.0.2.1', 64_496],
    ['192.0.2.127', 64_496],
    ['192.0.2.128', 64_497],
    ['192.0.2.255', 64_497],
    ['192.0.3.0', 0],
    ['198.51.100.9', 64_498],
    ['203.0.113.255', 64_500],
    ['2001:db8::1', 65_551],
    ['2001:db8:1::1', 4_294_967_295],
    ['2001:db8:1:ffff:ffff:ffff:ffff:ffff', 4_294_967_295],
    ['2001:db8:2::', 65_551],
    ['2001:db9::', 0],
    ['::ffff:192.0.2.200', 64_497],
    ['::ffff:c000:2c8', 64_497],
    ['2001:db8::1%eth0', 65_551],
    ['::1', 0],
    ['', 0],
    ['192.0.2', 0],
    ['192.0.2.1.evil', 0],
    ['[2001:db8::1]', 0],
  ])('maps %s to %i', (address, system) => expect(asOf(address)).toBe(system));

  it('has prefixes of every length, including 0 and whole addresses', () => {
    const every = parseAsTable('0.0.0.0/0 1\n127.0.0.1/32 2\n::/0 3\n::1/128 4');
    expect(['8.8.8.8', '127.0.0.1', '2001:db8::', '::1'].map(every)).toEqual([1, 2, 3, 4]);
  });

  it("agrees with Node's BlockList", () => {
    const address = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(address, fc.integer({ min: 1, max: 32 })), { minLength: 1 }),
        address,
        (prefixes, asked) => {
          const masked = prefixes.map(
            ([value, length]) => [dotted(value & -(2 ** (32 - length))), length] as const,
          );
          const list = new BlockList();
          for (const [prefix, length] of masked) list.addSubnet(prefix, length);
          const asOf = parseAsTable(masked.map(([prefix, length]) => `${prefix}/${length} 7`).join('\n'));
          // Also test the first prefix's own address, because a random address is rarely in a prefix.
          for (const one of [dotted(asked), dotted(prefixes[0]?.[0] ?? 0)])
            expect(asOf(one)).toBe(list.check(one) ? 7 : 0);
        },
      ),
    );
  });
});

it.each([
  ['192.0.2.0/24', /^line 1: '192\.0\.2\.0\/24'; expected a prefix and the number/],
  ['# fine\n192.0.2.0/33 1', /^line 2: /],
  ['192.0.2.1/24 1', /^line 1: /],
  ['192.0.2.0/24 4294967296', /^line 1: /],
  ['192.0.2.0/24 -1', /^line 1: /],
  ['2001:db8::/129 1', /^line 1: /],
  ['2001:db8::1/32 1', /^line 1: /],
  ['example.org/24 1', /^line 1: /],
  ['300.0.0.0/8 1', /^line 1: /],
  ['192.0.2.0/24 1 2', /^line 1: /],
  ['{"prefix": 1}', /^line 1: /],
  ['', /^no line with a prefix/],
  ['# nothing', /^no line with a prefix/],
])('refuses %j', (text, message) => expect(() => parseAsTable(text)).toThrow(message));

it('names an unreadable file', () => {
  expect(() => readAsTableFile('/no/such')).toThrow(/^--as-table '\/no\/such' cannot be read: ENOENT/);
  expect(() => parseAsTableFile(readAsTableFile('package.json'))).toThrow(
    /^--as-table 'package.json', line 1: '{'; expected/,
  );
});
