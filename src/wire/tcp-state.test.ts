import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kbps, milliseconds } from '../units.ts';
import { parseReceipt, printReceipt } from './receipt.ts';
import { printTcpState, readTcpState } from './tcp-state.ts';

describe('printTcpState', () => {
  it('prints the documented format, with known fields only', () => {
    const all = { in_flight_packets: 12, delivery_kbps: kbps(9200.128), app_limited: false };
    expect(printTcpState(all)).toBe('in_flight_packets=12,delivery_kbps=9200.128,app_limited=0');
    expect(printTcpState({ app_limited: true })).toBe('app_limited=1');
    expect(printTcpState({})).toBe('');
  });
});

describe('readTcpState', () => {
  it("converts to the units of Puffer's data: packets, microseconds, bytes/s", () => {
    const tcp_state = 'in_flight_packets=12,delivery_kbps=9200.128,app_limited=1';
    const receipt = {
      cwnd_packets: 24,
      rtt_ms: milliseconds(11.8),
      min_rtt_ms: milliseconds(5.123),
      tcp_state,
    };
    // 9,200.128 kbit/s / 8 x 1000 = 1,150,016 bytes/s.
    expect(readTcpState(receipt)).toEqual({
      state: {
        cwnd_packets: 24,
        in_flight_packets: 12,
        min_rtt_us: 5123,
        rtt_us: 11_800,
        delivery_bytes_per_s: 1_150_016,
        app_limited: true,
      },
      refused: [],
    });
  });

  it('uses the standard throughput of an edge without further statistics', () => {
    expect(readTcpState({ etp_kbps: kbps(8000) }).state).toEqual({ delivery_bytes_per_s: 1_000_000 });
  });

  it('has no values without a receipt or before the first sample', () => {
    expect(readTcpState({})).toEqual({ state: {}, refused: [] });
    const unmeasured = { min_rtt_ms: milliseconds(0), tcp_state: 'in_flight_packets=0,delivery_kbps=0' };
    expect(readTcpState(unmeasured)).toEqual({ state: { in_flight_packets: 0 }, refused: [] });
  });

  it.each([
    [{ rtt_ms: milliseconds(-5) }, 'rtt_us is -5000, not from 1 to 120000000'],
    [{ rtt_ms: milliseconds(130_000) }, 'rtt_us is 130000000, not from 1 to 120000000'],
    [{ min_rtt_ms: milliseconds(NaN) }, 'min_rtt_us is NaN, not from 1 to 120000000'],
    [{ cwnd_packets: 1e9 }, 'cwnd_packets is 1000000000, not from 1 to 2003250'],
    [
      { tcp_state: 'delivery_kbps=1e15' },
      'delivery_bytes_per_s is 125000000000000000, not from 1 to 125000000000',
    ],
    [{ tcp_state: 'in_flight_packets=-1' }, 'in_flight_packets is -1, not from 0 to 2003250'],
    [{ tcp_state: 'in_flight_packets=many' }, 'in_flight_packets is NaN, not from 0 to 2003250'],
    [{ tcp_state: 'app_limited=yes' }, "app_limited is 'yes', neither 0 nor 1"],
  ])('drops the false value %j, with a reason', (receipt, reason) => {
    const { state, refused } = readTcpState(receipt);
    expect(state).toEqual({});
    expect(refused).toEqual([reason]);
  });

  it('rounds to whole packets', () => {
    const { state } = readTcpState({ cwnd_packets: 24.4, tcp_state: 'in_flight_packets=1.6' });
    expect(state).toEqual({ cwnd_packets: 24, in_flight_packets: 2 });
  });

  it('keeps the valid values of a receipt with one implausible value', () => {
    const { state, refused } = readTcpState({ cwnd_packets: 10, rtt_ms: milliseconds(-1) });
    expect(state).toEqual({ cwnd_packets: 10 });
    expect(refused).toHaveLength(1);
  });

  it('reads the printed headers', () => {
    const known = fc.record(
      {
        in_flight_packets: fc.nat(1_000_000),
        delivery_kbps: fc.integer({ min: 1, max: 1e9 }).map((bytesPerSecond) => kbps(bytesPerSecond / 125)),
        app_limited: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(known, (fields) => {
        const headers: Readonly<Record<string, string>> = printReceipt({ tcp_state: printTcpState(fields) });
        const { state, refused } = readTcpState(parseReceipt((name) => headers[name]));
        const { delivery_kbps, ...others } = fields;
        expect(refused).toEqual([]);
        expect(state).toEqual({
          ...others,
          ...(delivery_kbps !== undefined && { delivery_bytes_per_s: Math.round(delivery_kbps * 125) }),
        });
      }),
    );
  });

  it('never throws, and returns only numbers within bounds', () => {
    const numbers = fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -1, undefined));
    const hostile = fc.record({
      cwnd_packets: numbers,
      rtt_ms: numbers,
      min_rtt_ms: numbers,
      etp_kbps: numbers,
      tcp_state: fc.oneof(
        fc.string(),
        fc
          .array(
            fc.constantFrom('in_flight_packets', 'delivery_kbps', 'app_limited', '=', ',', '9', 'e', '-'),
          )
          .map((parts) => parts.join('')),
      ),
    });
    fc.assert(
      fc.property(hostile, (receipt) => {
        const { state } = readTcpState(receipt as Parameters<typeof readTcpState>[0]);
        for (const value of Object.values(state)) {
          if (typeof value !== 'boolean') expect(Number.isFinite(value) && Number(value) >= 0).toBe(true);
        }
      }),
    );
  });
});

describe('readTcpState at its limits', () => {
  it('accepts the longest round trip, 120 s, and rejects more', () => {
    expect(readTcpState({ rtt_ms: 120_000 })).toEqual({ state: { rtt_us: 120_000_000 }, refused: [] });
    expect(readTcpState({ rtt_ms: 120_001 }).state).toEqual({});
  });

  it('treats a field without a value as absent', () => {
    expect(readTcpState({ tcp_state: 'in_flight_packets=,app_limited' })).toEqual({ state: {}, refused: [] });
  });

  it('reads the first 200 characters', () => {
    const tcp_state = `${'x'.repeat(199)},app_limited=1`;
    expect(readTcpState({ tcp_state })).toEqual({ state: {}, refused: [] });
    expect(readTcpState({ tcp_state: tcp_state.slice(20) }).state).toEqual({ app_limited: true });
  });
});
