import { describe, expect, it } from 'vitest';
import { kolmogorovSmirnov, ksPower } from './kolmogorov-smirnov.ts';

const A = [1.2, 3.4, 2.2, 5.1, 4.4, 2.9, 3.3, 1.9, 2.5, 4.0];
const B = [2.1, 4.9, 5.5, 3.8, 6.1, 4.7, 5.9, 3.6, 2.8, 6.4];

describe('the two-sample Kolmogorov-Smirnov test', () => {
  it("agrees with SciPy's statistics and exact p-values", () => {
    const sameSize = kolmogorovSmirnov(A, B);
    expect(sameSize.statistic).toBeCloseTo(0.5, 12);
    expect(sameSize.p).toBeCloseTo(0.16782134274394334, 9);
    const c = Array.from({ length: 20 }, (_, at) => at / 10);
    const d = Array.from({ length: 25 }, (_, at) => at / 10 + 0.55);
    const other = kolmogorovSmirnov(c, d);
    expect(other.statistic).toBeCloseTo(0.44, 12);
    expect(other.p).toBeCloseTo(0.01901592768895381, 9);
  });

  it('finds no difference between a sample and itself', () => {
    expect(kolmogorovSmirnov(A, A)).toEqual({ statistic: 0, p: 1 });
  });

  it('finds a false difference in at most one of twenty cases, and larger shifts more often', () => {
    expect(ksPower(20, 0)).toBeLessThanOrEqual(0.06);
    expect(ksPower(20, 1)).toBeGreaterThan(ksPower(20, 0.5));
  });
});
