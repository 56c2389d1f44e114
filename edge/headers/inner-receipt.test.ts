import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { milliseconds } from '../../src/units.ts';
import { parseReceipt, printReceipt, type Receipt } from '../../src/wire/receipt.ts';
import { renameReceipt } from './inner-receipt.ts';

describe('renameReceipt', () => {
  it.each([
    ['pace;desc="floor", tcp-rtt;dur=950', 'upstream-pace;desc="floor", upstream-tcp-rtt;dur=950'],
    ['cdn;dur=1,\tPACE,tcp-cc;desc="x"', 'cdn;dur=1,\tupstream-PACE,upstream-tcp-cc;desc="x"'],
    ['pacemaker;dur=1, my-pace;dur=2, tcp;dur=3', 'pacemaker;dur=1, my-pace;dur=2, tcp;dur=3'],
    ['experiment;desc="x control 1 - FRA"', 'experiment;desc="x control 1 - FRA"'],
    ['upstream-pace;desc="floor"', 'upstream-pace;desc="floor"'],
  ])('%s', (given, renamed) => {
    expect(renameReceipt(given)).toBe(renamed);
  });

  it('leaves only the receipt of the last hop for the player, whatever other hops send', () => {
    const field = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
    const receipts = fc.record(
      {
        reason: field(fc.constantFrom('requested', 'floor', 'no-rtp')),
        rtt_ms: field(fc.integer({ min: 1, max: 5000 }).map(milliseconds)),
        min_rtt_ms: field(fc.integer({ min: 1, max: 5000 }).map(milliseconds)),
        cwnd_packets: field(fc.integer({ min: 1, max: 1000 })),
        congestion_control: field(fc.constantFrom('bbr', 'cubic')),
        connection: field(fc.string({ maxLength: 12 })),
        tcp_state: field(fc.constantFrom('in_flight_packets=1,app_limited=0', ', pace;desc=x')),
      },
      { requiredKeys: [] },
    );
    const printed = (receipt: unknown): string => printReceipt(receipt as Receipt)['Server-Timing'] ?? '';
    fc.assert(
      fc.property(fc.array(fc.tuple(receipts, fc.string({ maxLength: 20 }))), receipts, (hops, last) => {
        const behind = hops.flatMap(([hop, other]) => [other.replaceAll('"', ''), printed(hop)]).join(', ');
        const own = printed(last);
        const read = (timing: string) => parseReceipt((name) => (name === 'Server-Timing' ? timing : null));
        expect(read([renameReceipt(behind), own].filter(Boolean).join(', '))).toEqual(read(own));
      }),
    );
  });
});
