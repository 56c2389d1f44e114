import fc from 'fast-check';
import { expect, it } from 'vitest';
import { kbps, type Kbps } from '../src/units.ts';
import { arbitrate } from './arbitration.ts';

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
