import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kbps, type Kbps } from '../src/units.ts';
import { arbitrate, ARBITRATE } from './arbitration.ts';
import type { SocketVerdict } from './policy.ts';

const pace = fc.integer({ min: 100, max: 1_000_000 }).map(kbps);
const wish = fc.oneof(pace, fc.constant(null));

it('is the pace of the only response', () => {
  expect(arbitrate([kbps(9900)])).toBe(9900);
  expect(arbitrate([null])).toBeNull();
});

it('is the sum of the paces of audio and video', () => {
  expect(arbitrate([kbps(9900), kbps(400)])).toBe(10_300);
});

it('is unpaced while a response without a pace is in flight', () => {
  fc.assert(
    fc.property(fc.array(wish), fc.array(wish), (before, after) => {
      expect(arbitrate([...before, null, ...after])).toBeNull();
    }),
  );
});

it('is at least the pace of every response', () => {
  fc.assert(
    fc.property(fc.array(pace, { minLength: 1 }), (paces) => {
      const socket = arbitrate(paces) ?? Infinity;
      paces.forEach((own, index) => {
        const others = paces.toSpliced(index, 1).reduce((sum, rate) => sum + rate, 0);
        expect(socket - others).toBeGreaterThanOrEqual(own);
      });
    }),
  );
});

it('does not depend on the order, and only grows with another response', () => {
  const rate = (value: Kbps | null) => value ?? Infinity;
  fc.assert(
    fc.property(fc.array(wish, { minLength: 1 }), wish, (paces, another) => {
      expect(arbitrate(paces.toReversed())).toBe(arbitrate(paces));
      expect(rate(arbitrate([...paces, another]))).toBeGreaterThan(
        another === null || arbitrate(paces) === null ? 0 : rate(arbitrate(paces)),
      );
    }),
  );
});

it('is unpaced without a response', () => {
  expect(arbitrate([])).toBeNull();
});

describe('the properties of a shared socket', () => {
  const respond = (pace: number | null, congestionControl: string | null, floor: number | null = null) =>
    ({
      pace: pace === null ? null : kbps(pace),
      congestionControl,
      floor: floor === null ? null : kbps(floor),
    }) satisfies SocketVerdict;

  it('are a pace that is the sum of the paces', () => {
    expect(ARBITRATE.pace([respond(9900, null), respond(400, null)])).toBe(10_300);
    expect(ARBITRATE.pace([respond(9900, null), respond(null, null)])).toBeNull();
  });

  it('are the congestion control of the newest unpaced response, or of the newest if all are paced', () => {
    const paced = [respond(9900, 'cubic'), respond(400, 'bbr')];
    expect(ARBITRATE.congestionControl(paced)).toBe('bbr');
    expect(ARBITRATE.congestionControl(paced.toReversed())).toBe('cubic');
    const unpaced = [respond(null, 'vegas'), respond(null, 'reno')];
    expect(ARBITRATE.congestionControl([...unpaced, ...paced])).toBe('reno');
    expect(ARBITRATE.congestionControl([respond(null, null), ...paced])).toBeNull();
    expect(ARBITRATE.congestionControl([])).toBeNull();
  });

  it('are a floor that is the sum of the floors, with the pace of a response that has none', () => {
    expect(ARBITRATE.floor([respond(9900, null, 3000), respond(400, null, 100)])).toBe(3100);
    expect(ARBITRATE.floor([respond(9900, null, 3000), respond(400, null)])).toBe(3400);
    expect(ARBITRATE.floor([respond(9900, null, 3000), respond(null, null)])).toBeNull();
    expect(ARBITRATE.floor([respond(9900, null), respond(400, null)])).toBeNull();
  });
});
