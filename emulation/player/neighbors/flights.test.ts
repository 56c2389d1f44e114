import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inFlight_s, isInFlight, mergeFlights } from './flights.ts';

const flight = (from_s: number, to_s: number) => ({ from_s, to_s });

describe('flights', () => {
  it('are merged if they overlap or touch, in order', () => {
    expect(mergeFlights([flight(5, 6), flight(0, 2), flight(1, 3), flight(3, 4)])).toEqual([
      flight(0, 4),
      flight(5, 6),
    ]);
    expect(mergeFlights([flight(0, 9), flight(1, 2)])).toEqual([flight(0, 9)]);
  });

  it('fill part of a span', () => {
    // From 1 to 2 s, and from 3 to 3.5 s.
    expect(inFlight_s(1, 3.5, [flight(0, 2), flight(3, 4)])).toBe(1.5);
    expect(inFlight_s(2, 3, [flight(0, 2), flight(3, 4)])).toBe(0);
  });

  it('include their start but not their end', () => {
    expect([-0.1, 0, 1.9, 2].map((at) => isInFlight(at, [flight(0, 2)]))).toEqual([false, true, true, false]);
  });

  it('have the same total length after merging', () => {
    const flights = fc.array(
      fc.tuple(fc.nat(50), fc.nat(20)).map(([from, length]) => flight(from, from + length)),
    );
    fc.assert(
      fc.property(flights, (all) => {
        const seconds = Array.from({ length: 70 }, (_, second) => second);
        const covered = seconds.filter((second) => isInFlight(second, all)).length;
        expect(inFlight_s(0, 70, mergeFlights(all))).toBe(covered);
      }),
    );
  });
});
