import { describe, expect, it } from 'vitest';
import { isSkewed } from './skewness.ts';

describe('isSkewed', () => {
  it('detects one large value among eight', () => {
    // The central moments are m2 = 7/64 and m3 = 21/256, so m3 / m2^1.5 = 6 / sqrt(7) = 2.27. Adjusted by sqrt(56) / 6,
    // this is 2.83. Its standard error is 0.752.
    expect(isSkewed([0, 0, 0, 0, 0, 0, 0, 1])).toBe(true);
    expect(isSkewed([0, 0, 0, 0, 0, 0, 0, -1])).toBe(true);
  });

  it('is false for symmetric values, equal values, and too few values', () => {
    expect(isSkewed([-3, -2, -1, 0, 1, 2, 3, 0])).toBe(false);
    expect(isSkewed([5, 5, 5, 5, 5, 5, 5, 5])).toBe(false);
    expect(isSkewed([0, 1])).toBe(false);
  });

  it('ignores skewness of many values', () => {
    expect(isSkewed([...Array<number>(40).fill(0), 1])).toBe(false);
  });
});
