import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EdgeTrust, type PacedTransfer } from './edge-trust.ts';
import { bytes, transferSize, kbps, seconds, type Kbps } from '../units.ts';

const PACE = kbps(10_000);
/** The transfer of 1 MB with a throughput of `ratio` times the pace. It takes 0.8 s at the pace of 10 Mbit/s. */
function at(ratio: number, given: Partial<PacedTransfer> = {}): PacedTransfer {
  const size = transferSize(kbps(4000), seconds(2));
  const duration = seconds(0.8 / ratio);
  return { requested: PACE, applied: undefined, socket: undefined, size, duration, ...given };
}
const afterwards = (...transfers: PacedTransfer[]) => {
  const trust = new EdgeTrust();
  const believed = transfers.map((transfer) => trust.observe(transfer));
  return { honored: trust.honored, believed };
};
const times = (count: number, transfer: PacedTransfer) => Array.from({ length: count }, () => transfer);

it('is unknown at first, and after requests without a pace', () => {
  expect(afterwards().honored).toBe('unknown');
  expect(afterwards(...times(9, at(50, { requested: null }))).honored).toBe('unknown');
});

it('notices an edge that ignores rtp: the fourth segment clearly above the pace', () => {
  expect(afterwards(...times(3, at(3))).honored).toBe('unknown');
  const { honored, believed } = afterwards(...times(5, at(3)));
  expect(honored).toBe('no');
  expect(believed).toEqual([PACE, PACE, PACE, null, null]);
});

it('still detects this edge after a single slow segment', () => {
  expect(afterwards(...times(3, at(3)), at(1), ...times(3, at(3))).honored).toBe('unknown');
  expect(afterwards(...times(4, at(3)), at(0.3)).believed.at(-1)).toBeNull();
});

it('recognizes an honored pace, and draws no conclusion from a slow network', () => {
  expect(afterwards(...times(4, at(0.95))).honored).toBe('yes');
  expect(afterwards(...times(9, at(0.4))).honored).toBe('unknown');
});

it('trusts the pace in the receipt instead of the requested pace', () => {
  const lowered = { applied: kbps(5000) };
  expect(afterwards(...times(4, at(0.48, lowered)))).toEqual({
    honored: 'yes',
    believed: times(4, at(1)).map(() => 5000),
  });
  // An edge's floor may raise the pace above the requested pace.
  expect(afterwards(...times(4, at(2.9, { applied: kbps(30_000) }))).honored).toBe('yes');
  expect(afterwards(...times(4, at(0.3, { applied: PACE }))).honored).toBe('yes');
});

it('trusts an edge that reports no pace, whatever the throughput', () => {
  expect(afterwards(...times(4, at(0.9, { applied: null })))).toEqual({
    honored: 'no',
    believed: [null, null, null, null],
  });
});

it('distrusts a receipt that the throughput contradicts, for example from a cache', () => {
  const { honored, believed } = afterwards(...times(5, at(4, { applied: PACE })));
  expect(honored).toBe('no');
  expect(believed.at(-1)).toBeNull();
});

it('compares with the pace of a shared socket, unless the socket is unpaced', () => {
  expect(afterwards(...times(9, at(2.4, { applied: PACE, socket: kbps(20_000) }))).honored).toBe('yes');
  expect(afterwards(...times(9, at(9, { applied: PACE, socket: null }))).honored).toBe('unknown');
});

it('trusts an edge again when it begins to honor rtp', () => {
  const ignored = times(6, at(3));
  expect(afterwards(...ignored, ...times(3, at(0.95))).honored).toBe('no');
  const { honored, believed } = afterwards(...ignored, ...times(4, at(0.95)));
  expect(honored).toBe('yes');
  expect(believed.at(-1)).toBe(PACE);
  // With receipts, the first honored pace counts.
  expect(afterwards(...ignored, at(0.95, { applied: PACE })).believed.at(-1)).toBe(PACE);
});

it('ignores small segments', () => {
  expect(afterwards(...times(9, at(9, { size: bytes(199_000) }))).honored).toBe('unknown');
});

it('returns no pace if none was requested or reported', () => {
  const pace = fc.oneof(fc.integer({ min: 100, max: 100_000 }).map(kbps), fc.constant(null));
  const transfer = fc.record({
    requested: pace,
    applied: fc.oneof(pace, fc.constant(undefined)),
    socket: fc.oneof(pace, fc.constant(undefined)),
    size: fc.integer({ min: 0, max: 10_000_000 }).map((size) => size as PacedTransfer['size']),
    duration: fc.double({ min: 0, max: 100, noNaN: true }).map(seconds),
  });
  fc.assert(
    fc.property(fc.array(transfer, { maxLength: 30 }), (transfers) => {
      const trust = new EdgeTrust();
      for (const one of transfers) {
        const named: (Kbps | null)[] = [null, one.applied ?? null, one.requested];
        expect(named).toContain(trust.observe(one));
      }
    }),
  );
});
