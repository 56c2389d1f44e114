import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flowName } from './flow-names.ts';
import { POSTCARD_BYTES, parsePostcard } from './postcard.ts';
import type { Postcard } from './postcard.ts';

/** The first postcard of programs/bottleneck.stf, with times 0x10 and 0x20 and number 5. */
const HEX =
  '01140007000100020000000000000000' +
  '0000ffff0a0000010000000000000000' +
  '0000ffff0a0000021f90c35006180800' +
  '11223344556677880005003b0000000300000002' +
  '00000010000000100000000000000020' +
  '00000005';
const bytes = (): Buffer => Buffer.from(HEX, 'hex');
const parsed = (buffer: Buffer): Postcard => {
  const postcard = parsePostcard(buffer);
  if (typeof postcard === 'string') throw new Error(postcard);
  return postcard;
};

test('reads every field at the offset in postcard.md', () => {
  expect(parsed(bytes())).toEqual({
    switchId: 7,
    ingressPort: 1,
    egressPort: 2,
    flow: {
      etherType: 0x0800,
      source: '10.0.0.1',
      destination: '10.0.0.2',
      protocol: 6,
      sourcePort: 8080,
      destinationPort: 50_000,
    },
    tcp: { sequence: 0x11223344, acknowledgement: 0x55667788, flags: 0x18 },
    payloadLength: 5,
    packetLength: 59,
    enqueueDepth: 3,
    dequeueDepth: 2,
    t_s: 16e-6,
    queueTime: 16,
    dropped: false,
    marked: false,
    number: 5,
  });
});

test('computes the time from all 48 bits, which do not wrap after 32 bits', () => {
  const late = bytes();
  late.writeUIntBE(2 ** 40 + 32, 78, 6);
  expect(parsed(late).t_s).toBe((2 ** 40 + 16) / 1e6);
});

test('distinguishes the flags', () => {
  const flagged = (flags: number): Postcard => {
    const buffer = bytes();
    buffer[1] = flags;
    return parsed(buffer);
  };
  expect(flagged(1)).toMatchObject({ dropped: true, marked: false, tcp: undefined });
  expect(flagged(2)).toMatchObject({ dropped: false, marked: true });
  expect(flagged(0).flow).toMatchObject({ sourcePort: undefined, destinationPort: undefined });
});

describe('flow names', () => {
  const ipv6 = (address: string): string => {
    const buffer = bytes();
    buffer[1] = 4 + 8 + 16;
    buffer.writeUInt16BE(0x86dd, 46);
    buffer.write(address.padEnd(32, '0'), 8, 'hex');
    return flowName(parsed(buffer).flow).split(' ')[1] ?? '';
  };
  // RFC 5952 §4.2 and §4.3.
  test.each([
    ['20010db8000000000000000000000001', '[2001:db8::1]:8080'],
    ['20010db8000000010001000100010001', '[2001:db8:0:1:1:1:1:1]:8080'],
    ['20010000000000010000000000000001', '[2001:0:0:1::1]:8080'],
    ['20010db8000000000001000000000001', '[2001:db8::1:0:0:1]:8080'],
    ['00000000000000000000000000000001', '[::1]:8080'],
    ['00000000000000000000000000000000', '[::]:8080'],
    ['fe800000000000000000000000000000', '[fe80::]:8080'],
    ['000000000000000000000000000000ff', '[::ff]:8080'],
  ])('%s', (hex, name) => {
    expect(ipv6(hex)).toBe(name);
  });

  test('names IPv4 flows and frames that are not IP', () => {
    expect(flowName(parsed(bytes()).flow)).toBe('tcp 10.0.0.1:8080 > 10.0.0.2:50000');
    const arp = bytes();
    arp[1] = 0;
    arp.writeUInt16BE(0x0806, 46);
    expect(flowName(parsed(arp).flow)).toBe('ethertype 0x0806');
  });
});

describe('invalid datagrams', () => {
  test.each(['length', 'version', 'reserved'] as const)('%s', (what) => {
    const buffer = bytes();
    if (what === 'version') buffer[0] = 2;
    if (what === 'reserved') buffer[1] = 0x80;
    expect(parsePostcard(what === 'length' ? buffer.subarray(1) : buffer)).toBe(what);
  });

  test('returns a reason for random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (array) => {
        const result = parsePostcard(Buffer.from(array));
        expect(
          ['length', 'version', 'reserved'].includes(result as string) || array.length === POSTCARD_BYTES,
        ).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('never throws for a postcard with changed bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(87), fc.nat(255)), { maxLength: 8 }), (changes) => {
        const buffer = bytes();
        for (const [at, value] of changes) buffer[at] = value;
        const result = parsePostcard(buffer);
        if (typeof result === 'string') return;
        expect(Number.isFinite(result.t_s)).toBe(true);
        expect(flowName(result.flow)).not.toContain('undefined');
      }),
      { numRuns: 5000 },
    );
  });
});
