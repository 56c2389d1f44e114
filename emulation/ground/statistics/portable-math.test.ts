import { describe, expect, it } from 'vitest';
import { exp, ln, power } from './portable-math.ts';

/** The tolerance for the last digits, in which the engine's functions may differ from these portable functions. */
const CLOSE = 1e-14;

describe('portable mathematics', () => {
  it("agrees with the engine's functions, except for the last digits", () => {
    for (let x = -30; x <= 30; x += 0.37) expect(exp(x) / Math.exp(x)).toBeCloseTo(1, 13);
    for (let x = 1e-6; x < 1e7; x *= 1.7) expect(Math.abs(ln(x) - Math.log(x))).toBeLessThan(CLOSE * 16);
    for (let x = 0; x < 60; x += 0.7) expect(power(0.875, x) / 0.875 ** x).toBeCloseTo(1, 13);
  });

  it('is exact if the result is a whole number', () => {
    expect([exp(0), ln(1), power(0.5, 0), power(7, 0)]).toEqual([1, 0, 1, 1]);
    expect(exp(-1000)).toBe(0);
    expect(ln(2)).toBe(Math.LN2);
  });
});
