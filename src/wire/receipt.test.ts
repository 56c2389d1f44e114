import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytes, kbps, milliseconds } from '../units.ts';
import { parseReceipt, printReceipt, RECEIPT_HEADERS, type Receipt } from './receipt.ts';

const reader = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name] ?? null;
const full: Receipt = {
  pace_kbps: kbps(9900),
  reason: 'requested',
  etp_kbps: kbps(9200),
  rtt_ms: milliseconds(11.8),
  min_rtt_ms: milliseconds(5.1),
  retransmitted_bytes: bytes(2896),
  sent_bytes: bytes(812_000),
  cwnd_packets: 24,
  tcp_state: 'in_flight_packets=12,delivery_kbps=9200.128,app_limited=0',
  congestion_control: 'cubic',
  connection: '17',
};

describe('printReceipt', () => {
  it('prints the two headers in its documentation', () => {
    expect(printReceipt(full)).toEqual({
      'CMSD-Dynamic': '"dashjs-sammy";etp=9200;rtt=12;io.github.dashjs-sammy-pace=9900',
      'Server-Timing':
        'pace;desc="requested", tcp-rtt;dur=11.8, tcp-minrtt;dur=5.1, tcp-retransmitted;desc="2896", ' +
        'tcp-sent;desc="812000", tcp-cwnd;desc="24", ' +
        'tcp-state;desc="in_flight_packets=12,delivery_kbps=9200.128,app_limited=0", tcp-cc;desc="cubic", tcp-connection;desc="17"',
    });
  });

  it('contains the pace of a shared socket, the sum of several responses', () => {
    const receipt: Receipt = { pace_kbps: kbps(9900), socket_pace_kbps: kbps(19_800) };
    const headers = printReceipt(receipt);
    expect(headers['CMSD-Dynamic']).toBe(
      '"dashjs-sammy";io.github.dashjs-sammy-pace=9900;io.github.dashjs-sammy-socket-pace=19800',
    );
    expect(parseReceipt(reader(headers))).toEqual(receipt);
  });

  it('omits an empty header', () => {
    expect(printReceipt({})).toEqual({});
    expect(Object.keys(printReceipt({ pace_kbps: null }))).toEqual(['CMSD-Dynamic']);
    expect(Object.keys(printReceipt({ reason: 'absent' }))).toEqual(['Server-Timing']);
  });

  it('escapes text that would end its quotes or begin another header', () => {
    const { 'Server-Timing': timing } = printReceipt({ reason: 'a"b\\c\r\nSet-Cookie: x\u00e9' });
    expect(timing).toBe('pace;desc="abcSet-Cookie: x"');
  });
});

describe('parseReceipt', () => {
  it('reads a pace of 0 as unpaced, and a missing pace as unknown', () => {
    expect(parseReceipt(reader({ 'CMSD-Dynamic': '"s";io.github.dashjs-sammy-pace=0' }))).toEqual({
      pace_kbps: null,
    });
    expect(parseReceipt(reader({}))).toEqual({});
    expect(parseReceipt(reader({ 'CMSD-Dynamic': '', 'Server-Timing': '' }))).toEqual({});
    expect(parseReceipt(() => undefined)).toEqual({});
  });

  it('reads the pace from the member that has it, at any position in the chain', () => {
    const edgeFirst = '"dashjs-sammy";etp=9200;io.github.dashjs-sammy-pace=9900,"cdn";etp=1;rtt=2';
    const edgeLast = '"cdn";etp=1;rtt=2, "dashjs-sammy";etp=9200;io.github.dashjs-sammy-pace=9900';
    for (const value of [edgeFirst, edgeLast]) {
      expect(parseReceipt(reader({ 'CMSD-Dynamic': value }))).toEqual({ pace_kbps: 9900, etp_kbps: 9200 });
    }
  });

  it("reads the pace of the hop nearest to the player if two of this project's edges are in the chain", () => {
    const value = '"a";io.github.dashjs-sammy-pace=100,"b";io.github.dashjs-sammy-pace=200';
    expect(parseReceipt(reader({ 'CMSD-Dynamic': value })).pace_kbps).toBe(200);
  });

  it('reads the standard keys of other servers', () => {
    expect(parseReceipt(reader({ 'CMSD-Dynamic': '"cdn-a";etp=76;rtt=32' }))).toEqual({
      etp_kbps: 76,
      rtt_ms: 32,
    });
  });

  it('prefers the more precise RTT of Server-Timing, and ignores the rest of that header', () => {
    const headers = {
      'CMSD-Dynamic': '"dashjs-sammy";rtt=12',
      'Server-Timing': 'cache;desc="hit, or; not", db;dur=53, tcp-rtt;dur=11.8, total',
    };
    expect(parseReceipt(reader(headers))).toEqual({ rtt_ms: 11.8 });
  });

  it("ignores text in another hop's quoted strings", () => {
    const timing = String.raw`cdn;desc="a\", pace;desc=no", pace;desc="requested"`;
    expect(parseReceipt(reader({ 'Server-Timing': timing }))).toEqual({ reason: 'requested' });
  });

  it.each(['-5', '1e3', 'NaN', 'Infinity', '', '12abc', '9'.repeat(16), '?1', '1.1234567'])(
    'leaves out a number written %j',
    (text) => {
      const headers = {
        'CMSD-Dynamic': `"s";etp=${text};io.github.dashjs-sammy-pace=${text}`,
        'Server-Timing': `tcp-rtt;dur=${text}, tcp-sent;desc="${text}"`,
      };
      expect(parseReceipt(reader(headers))).toEqual({});
    },
  );

  const wholeNumber = fc.integer({ min: 1, max: 1e15 - 1 });
  const thousandths = fc.integer({ min: 0, max: 1e9 }).map((value) => value / 1000);
  const word = fc
    .string({ unit: fc.constantFrom(...Array.from('abcXYZ019-_,;= ')) })
    .map((text) => `w${text}w`);
  const anyReceipt = fc.record(
    {
      pace_kbps: fc.option(fc.integer({ min: 1, max: 1e8 }).map(kbps), { nil: null }),
      reason: word,
      etp_kbps: wholeNumber.map(kbps),
      etp_limited_by: fc.constant('pace' as const),
      rtt_ms: thousandths.map(milliseconds),
      min_rtt_ms: thousandths.map(milliseconds),
      retransmitted_bytes: wholeNumber.map(bytes),
      sent_bytes: wholeNumber.map(bytes),
      cwnd_packets: wholeNumber,
      tcp_state: word,
      congestion_control: word,
      connection: word,
    },
    { requiredKeys: [] },
  );

  it('reads the output of printReceipt', () => {
    fc.assert(
      fc.property(anyReceipt, (receipt) => {
        expect(parseReceipt(reader(printReceipt(receipt)))).toEqual(receipt);
      }),
    );
  });

  it('never throws on hostile headers, and returns only finite numbers', () => {
    const syntax = fc.constantFrom(
      ...Array.from('";,= \\\t\n()'),
      'etp',
      'rtt=1e999',
      'io.github.dashjs-sammy-pace',
      '=9900',
      'tcp-rtt;dur=',
      '-1',
      'desc="',
      '__proto__',
      '9'.repeat(400),
    );
    const hostile = fc.oneof(
      fc.array(fc.nat({ max: 0xffff }), { maxLength: 300 }).map((units) => String.fromCharCode(...units)),
      fc.array(syntax, { maxLength: 60 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(hostile, hostile, (cmsd, timing) => {
        const receipt = parseReceipt(reader({ 'CMSD-Dynamic': cmsd, 'Server-Timing': timing }));
        for (const value of Object.values(receipt)) {
          if (typeof value !== 'number') continue;
          expect(Number.isFinite(value)).toBe(true);
          expect(value).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('ignores earlier hops, whose members may come from a cache', () => {
    const inner: Receipt = {
      ...{ pace_kbps: kbps(100), reason: 'requested', etp_kbps: kbps(5), cwnd_packets: 3 },
      ...{ rtt_ms: milliseconds(950), min_rtt_ms: milliseconds(900), sent_bytes: bytes(7) },
    };
    fc.assert(
      fc.property(anyReceipt, fc.nat(3), (receipt, hops) => {
        const last = { ...receipt, pace_kbps: kbps(9900), reason: 'unpaced' };
        const printed = [...Array<Receipt>(hops).fill(inner), last].map(printReceipt);
        const headers = Object.fromEntries(
          RECEIPT_HEADERS.map((name) => [name, printed.map((each) => each[name]).join(', ')]),
        );
        expect(parseReceipt(reader(headers))).toEqual(last);
      }),
    );
  });

  it.each(RECEIPT_HEADERS)('reads at most the last 4096 characters of %s', (name) => {
    const members = 'tcp-rtt;dur=5,"s";rtt=7';
    expect(parseReceipt(reader({ [name]: members + ' '.repeat(4096) }))).toEqual({});
    expect(parseReceipt(reader({ [name]: ' '.repeat(4096) + members }))).not.toEqual({});
  });
});

// Empty members: RFC 9110 §5.6.1. Spaces after a semicolon: RFC 8941 §3.1.2; before it: Server-Timing §3.
it('ignores spaces around members and parameters, and empty members', () => {
  const headers = {
    'CMSD-Dynamic': ', "dashjs-sammy"; etp=9200;  io.github.dashjs-sammy-pace=9900 , ',
    'Server-Timing': ', pace ; desc="requested" , ,tcp-cc ; desc=cubic ',
  };
  expect(parseReceipt(reader(headers))).toEqual({
    pace_kbps: 9900,
    etp_kbps: 9200,
    reason: 'requested',
    congestion_control: 'cubic',
  });
});

it('has a separate key for throughput that the pace limited', () => {
  const header = '"dashjs-sammy";etp=9200;io.github.dashjs-sammy-etp-limit=pace';
  expect(printReceipt({ etp_kbps: kbps(9200), etp_limited_by: 'pace' })).toEqual({ 'CMSD-Dynamic': header });
  expect(parseReceipt(reader({ 'CMSD-Dynamic': header }))).toEqual({
    etp_kbps: 9200,
    etp_limited_by: 'pace',
  });
});
