import { describe, expect, it } from 'vitest';
import { isSkewed } from './skewness.ts';

describe('isSkewed', () => {
  it('detects one large value among eight', () => {
    // m2 = 7/64, m3 = 21/256: m3 / m2^1.5 = 6 / sqrt(7) = 2.27, times sqrt(56) / 6 = 2.83; its standard error is 0.752.
    expect(isSkewed([0, 0, 0, 0, 0, 0, 0, 1])).toBe(true);
    expect(isSkewed([0, 0, 0, 0, 0, 0, 0, -1])).toBe(true);
  });

  it('detects nothing in symmetric, equal or too few values', () => {
    expect(isSkewed([-3, -2, -1, 0, 1, 2, 3, 0])).toBe(false);
    expect(isSkewed([5, 5, 5, 5, 5, 5, 5, 5])).toBe(false);
    expect(isSkewed([0, 1])).toBe(false);
  });

  it('ignores skewness of many values', () => {
    expect(isSkewed([...Array<number>(40).fill(0), 1])).toBe(false);
  });
});
