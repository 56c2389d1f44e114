import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPaceLimited, ThroughputEstimator, withoutWaits, type ThroughputSample } from './throughput.ts';
import { bytes, kbps, milliseconds, seconds } from '../units.ts';

/** A download at `rate` kbit/s for `duration` s that ends at `at` s. */
const createSample = (rate: number, duration: number, at = 0, pace?: number): ThroughputSample => ({
  size: bytes((rate * 1000 * duration) / 8),
  duration: seconds(duration),
  at: milliseconds(at * 1000),
  pace: pace === undefined ? undefined : kbps(pace),
});
const createEstimator = (...samples: ThroughputSample[]): ThroughputEstimator => {
  const estimator = new ThroughputEstimator();
  for (const sample of samples) estimator.add(sample);
  return estimator;
};

describe('isPaceLimited', () => {
  const limited = (achieved: number, pace: number | undefined, rtt_ms?: number) =>
    isPaceLimited({
      ...createSample(achieved, 1, 0, pace),
      rtt: rtt_ms === undefined ? undefined : milliseconds(rtt_ms),
    });

  it('is true from 0.8 of the pace on', () => {
    expect(limited(9300, 10_000)).toBe(true);
    expect(limited(8000, 10_000)).toBe(true);
    expect(limited(7900, 10_000)).toBe(false);
  });

  it('is true above the pace, because the server may send a first burst', () => {
    expect(limited(12_000, 10_000)).toBe(true);
  });

  it('is false without a pace', () => {
    expect(limited(9300, undefined)).toBe(false);
  });

  it('subtracts the round trip of the request: 0.7 s at the pace and 0.3 s of waiting are 1 s', () => {
    expect(limited(7000, 10_000)).toBe(false);
    expect(limited(7000, 10_000, 300)).toBe(true);
  });
});

describe('ThroughputEstimator', () => {
  it('has no estimate at first', () => {
    expect(new ThroughputEstimator().estimate).toBeUndefined();
  });

  it('starts with the first sample, however short', () => {
    expect(createEstimator(createSample(5000, 0.01)).estimate).toBeCloseTo(5000, 6);
  });

  it('falls with the fast average: half-life 3 s, so (1000 / 2 + 500) / 1.5', () => {
    expect(createEstimator(createSample(1000, 3), createSample(500, 3)).estimate).toBeCloseTo(1000 / 1.5, 6);
  });

  it('rises with the slow average: half-life 8 s, so (1000 k + 2000) / (k + 1), k = 2^(-3/8)', () => {
    const k = 2 ** (-3 / 8);
    const expected = (1000 * k + 2000) / (k + 1);
    expect(createEstimator(createSample(1000, 3), createSample(2000, 3)).estimate).toBeCloseTo(expected, 6);
  });

  it('starts from a seed, which a download of half a second replaces', () => {
    const estimator = new ThroughputEstimator();
    estimator.seed(kbps(40_000));
    expect(estimator.estimate).toBeCloseTo(40_000, 6);
    // A download of less than 0.5 s does not replace the seed.
    estimator.add(createSample(1000, 0.4, 0));
    expect(estimator.estimate).toBeGreaterThan(10_000);
    estimator.add(createSample(1000, 0.5, 1));
    expect(estimator.estimate).toBeCloseTo(1000, 6);
    // Later downloads are averaged.
    estimator.add(createSample(2000, 1, 2));
    expect(estimator.estimate).toBeLessThan(2000);
  });

  it('weighs a seed by the trust in it: (1000 (1 - k) k² + 9000 (1 - k²)) / ((1 - k) k² + 1 - k²), k = 2^(-(1/8) / 8)', () => {
    const estimator = new ThroughputEstimator();
    // A trust of a quarter, so an eighth of a second; then a download of a quarter of a second.
    estimator.seed(kbps(1000), 0.25);
    expect(estimator.estimate).toBeCloseTo(1000, 6);
    estimator.add(createSample(9000, 0.25, 0));
    const k = 2 ** (-1 / 64);
    const expected = (1000 * (1 - k) * k ** 2 + 9000 * (1 - k ** 2)) / ((1 - k) * k ** 2 + 1 - k ** 2);
    expect(estimator.estimate).toBeCloseTo(expected, 6);
  });

  it('decays by half toward a lower bound in 30 s of wall time', () => {
    const estimator = createEstimator(createSample(40_000, 1, 0), createSample(9500, 1, 30, 10_000));
    expect(estimator.estimate).toBeCloseTo((40_000 + 9500) / 2, 6);
    estimator.add(createSample(9500, 1, 60, 10_000));
    expect(estimator.estimate).toBeCloseTo(9500 + 30_500 / 4, 6);
  });

  it('does not decay toward an encoder-limited sample, whose rate is that of a rung', () => {
    const estimator = createEstimator(createSample(4000, 1, 0));
    for (let at = 2; at < 600; at += 2) estimator.add({ ...createSample(700, 2, at), encoded: kbps(700) });
    expect(estimator.estimate).toBeCloseTo(4000, 6);
    // 2 s of content took 4 s, so the network was the limit.
    estimator.add({ ...createSample(350, 4, 604), encoded: kbps(700) });
    expect(estimator.estimate).toBeLessThan(4000);
    // A download that is faster than playback: the whole segment had been encoded, so the encoder did not limit it.
    const caughtUp = createEstimator(createSample(700, 1, 0), {
      ...createSample(9000, 30, 30),
      encoded: kbps(700),
    });
    expect(caughtUp.estimate).toBeGreaterThan(700);
  });

  it('uses the receiving time of chunks if the encoder limited the download', () => {
    const live = (duration: number, receiving_ms: number, encoded?: number) => {
      const sample = {
        ...createSample(1000, duration),
        encoded: encoded === undefined ? undefined : kbps(encoded),
      };
      return withoutWaits(sample, milliseconds(receiving_ms)).duration;
    };
    // A segment of 2 s with 2000 kbit, whose chunks arrived within 0.4 s in total.
    expect(live(2, 400, 1000)).toBe(0.4);
    // There were no waits, or the player could not measure them.
    expect(live(2, 1700, 1000)).toBe(2);
    expect(live(2, 0, 1000)).toBe(2);
    // 3000 kbit took 3 s although the encoder needed only 2 s, so the network was the limit.
    expect(live(3, 400, 1500)).toBe(3);
    // A segment that is not low-latency live.
    expect(live(2, 400)).toBe(2);
  });

  it('raises the estimate to a higher lower bound', () => {
    const estimator = createEstimator(createSample(1000, 8, 0), createSample(9500, 80, 80, 10_000));
    expect(estimator.estimate).toBeGreaterThan(9400);
    expect(estimator.estimate).toBeLessThanOrEqual(9500);
  });

  it('returns the network-limited throughputs of the last minute', () => {
    const estimator = createEstimator(
      createSample(8000, 1, 0),
      createSample(6000, 1, 10),
      createSample(9500, 1, 20, 10_000),
    );
    const at = (time_s: number) => Math.min(...estimator.networkThroughputs(milliseconds(time_s * 1000)));
    expect(at(20)).toBe(6000);
    expect(at(70)).toBe(6000);
    expect(at(70.001)).toBe(Infinity);
    // A download below its pace is network-limited. A very short download is ignored.
    estimator.add(createSample(5000, 1, 80, 10_000));
    estimator.add(createSample(1000, 0.4, 81));
    expect(at(81)).toBe(5000);
    expect(new ThroughputEstimator().networkThroughputs(milliseconds(0))).toEqual([]);
  });

  it('accepts a clock that runs backward, and samples at the same time', () => {
    const estimator = createEstimator(createSample(40_000, 1, 100));
    estimator.add(createSample(9500, 1, 50, 10_000));
    estimator.add(createSample(9500, 1, 100, 10_000));
    expect(estimator.estimate).toBe(40_000);
    // The time for which the clock ran backward does not count twice.
    estimator.add(createSample(9500, 1, 130, 10_000));
    expect(estimator.estimate).toBeCloseTo(24_750, 6);
  });

  const rates = fc.double({ min: 10, max: 100_000, noNaN: true });
  const durations = fc.double({ min: 0.001, max: 60, noNaN: true });
  const gaps = fc.double({ min: -5, max: 600, noNaN: true });
  const anySample = fc.record({
    rate: rates,
    duration: durations,
    gap: gaps,
    paceLimited: fc.boolean(),
  });
  type AnySample = typeof anySample extends fc.Arbitrary<infer T> ? T : never;
  /** Adds the samples one by one, and passes each to `check` with the estimates before and after it. */
  const replay = (
    samples: readonly AnySample[],
    check: (sample: AnySample, before: number | undefined, after: number | undefined) => void,
  ) => {
    const estimator = new ThroughputEstimator();
    let at = 0;
    for (const sample of samples) {
      const before = estimator.estimate;
      const pace = sample.paceLimited ? sample.rate / 0.93 : undefined;
      estimator.add(createSample(sample.rate, sample.duration, (at += sample.gap), pace));
      check(sample, before, estimator.estimate);
    }
  };

  it('is never lowered by a pace-limited sample below it or below the sample', () => {
    fc.assert(
      fc.property(fc.array(anySample, { maxLength: 30 }), (samples) => {
        replay(samples, ({ rate, paceLimited }, before = Infinity, after = Infinity) => {
          if (paceLimited) expect(after).toBeGreaterThanOrEqual(Math.min(before, rate) * (1 - 1e-9));
        });
      }),
    );
  });

  it('is lowered by every network-limited sample below both averages', () => {
    fc.assert(
      fc.property(fc.array(anySample, { maxLength: 30 }), durations, (samples, duration) => {
        replay([...samples, { rate: 1, duration, gap: 1, paceLimited: false }], ({ rate }, before, after) => {
          if (rate === 1 && before !== undefined) expect(after).toBeLessThan(before);
        });
      }),
    );
  });

  it('stays between the lowest and the highest sample', () => {
    fc.assert(
      fc.property(fc.array(anySample, { minLength: 1, maxLength: 30 }), (samples) => {
        const seen: number[] = [];
        replay(samples, ({ rate }, _, after) => {
          seen.push(rate);
          expect(after).toBeGreaterThanOrEqual(Math.min(...seen) * (1 - 1e-9));
          expect(after).toBeLessThanOrEqual(Math.max(...seen) * (1 + 1e-9));
        });
      }),
    );
  });
});
