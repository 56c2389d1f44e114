import { describe, expect, it } from 'vitest';
import {
  interval95,
  mean,
  median,
  medianInterval,
  medianResampler,
  mostCoverage,
  quantile,
} from './bootstrap.ts';
import { seededRandom, type Random } from './random.ts';

describe('median, mean and quantile', () => {
  it('agree with hand arithmetic', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(mean([1, 2, 6])).toBe(3);
    // The position is (4 - 1) x 0.25 = 0.75, between 10 and 20.
    expect(quantile([10, 20, 30, 40], 0.25)).toBe(17.5);
  });

  it('handle infinite values', () => {
    expect(quantile([1, Infinity, Infinity], 0.9)).toBe(Infinity);
  });
});

describe('resamplers', () => {
  /** Draws the same resample by sorting all values again for each draw. */
  const drawn = (values: readonly number[], random: Random) =>
    values.map(() => [...values].sort((a, b) => a - b)[Math.floor(random() * values.length)] ?? NaN);

  it.each([[[5, 1, 9, 7, 3]], [[2, 8, 4, 6]], [[7]]])(
    'return the median of each resample of %j',
    (values) => {
      const next = medianResampler(values, seededRandom(3));
      const random = seededRandom(3);
      for (let round = 0; round < 100; round++) expect(next()).toBe(median(drawn(values, random)));
    },
  );
});

describe('interval95', () => {
  it('is the middle 95% of the resamples', () => {
    // The resamples yield 0, 1, ..., 9999, whose 2.5% and 97.5% quantiles are 9999 x 0.025 and 9999 x 0.975.
    let count = 0;
    const ends = interval95(() => count++);
    expect(ends?.[0]).toBeCloseTo(249.975, 9);
    expect(ends?.[1]).toBeCloseTo(9749.025, 9);
  });

  it('is null if an end is not finite', () => {
    let count = 0;
    expect(interval95(() => (count++ % 10 === 0 ? Infinity : 1))).toBeNull();
  });
});

describe('medianInterval', () => {
  it('is a point for equal values, and null for fewer than three', () => {
    expect(medianInterval([4, 4, 4], 1)).toEqual([4, 4]);
    expect(medianInterval([4, 5], 1)).toBeNull();
    expect(medianInterval([4], 1)).toBeNull();
    expect(medianInterval([], 1)).toBeNull();
  });

  it('is reproducible by its seed', () => {
    expect(medianInterval([1, 2, 3, 4, 5, 9], 5)).toEqual(medianInterval([1, 2, 3, 4, 5, 9], 5));
  });

  it('covers the true median of a normal in about 95% of samples', () => {
    const random = seededRandom(2026);
    const simulations = 300;
    let covered = 0;
    for (let simulation = 0; simulation < simulations; simulation++) {
      const sample = Array.from({ length: 15 }, () => 100 + 10 * normal(random));
      const [low, high] = medianInterval(sample, simulation) ?? [NaN, NaN];
      if (low <= 100 && 100 <= high) covered++;
    }
    expect(covered / simulations).toBeGreaterThan(0.9);
    expect(covered / simulations).toBeLessThan(0.99);
  });
});

describe('mostCoverage', () => {
  it('agrees with the sign test', () => {
    // All n values lie on the same side of the median in 2 of 2^n cases.
    expect([2, 3, 5, 6].map(mostCoverage)).toEqual([1 / 2, 6 / 8, 30 / 32, 62 / 64]);
  });

  it.each([3, 4, 5])('bounds the coverage of the interval of %d values', (n) => {
    const random = seededRandom(n);
    const simulations = 400;
    let covered = 0;
    for (let simulation = 0; simulation < simulations; simulation++) {
      const sample = Array.from({ length: n }, () => 100 + 10 * normal(random));
      const [low, high] = medianInterval(sample, simulation) ?? [NaN, NaN];
      if (low <= 100 && 100 <= high) covered++;
    }
    // The tolerance is three standard errors of a share of 400 samples, which is at most sqrt(0.25 / 400).
    expect(covered / simulations).toBeLessThan(mostCoverage(n) + 3 * Math.sqrt(0.25 / simulations));
    expect(covered / simulations).toBeGreaterThan(mostCoverage(n) - 3 * Math.sqrt(0.25 / simulations));
  });
});

/** Draws from the standard normal distribution by Box and Muller's method. */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
