import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Condition, SessionSettings } from '../../player/records/session-settings.ts';
import { metrics, type Measured } from '../../player/records/metrics.ts';
import { medianChange, pairedChange, summarize } from './summary.ts';
import { fixtureExperiment } from './testing/fixture.ts';
import { record } from './testing/records.ts';

const experiment: SessionSettings = { ...fixtureExperiment, runs: 3 };
const under = (conditions: readonly Condition[], more: Partial<SessionSettings> = {}): SessionSettings => ({
  ...experiment,
  conditions,
  ...more,
});

describe('summarize', () => {
  it('has median, mean, interval, count and unit of every metric of a cell', () => {
    const records = [10, 20, 60].map((value, k) => record('dashjs', k + 1, { play_delay_ms: value }));
    const { experiment: name, arms } = summarize(experiment, records, 1);
    expect(name).toBe('single');
    // The median of a resample of three values is 10, 20 or 60. 10 and 60 occur in 7 of 27 resamples each, more than 2.5%.
    expect(arms).toEqual({
      dashjs: { play_delay_ms: { median: 20, mean: 30, ci95: [10, 60], n: 3, unit: 'ms' } },
    });
  });

  it('omits metrics without a value, and states how many values there were', () => {
    const records = [
      record('dashjs', 1, { play_delay_ms: null, switches: 2 }),
      record('dashjs', 2, { play_delay_ms: 150, switches: 4 }),
    ];
    const { arms } = summarize(experiment, records, 1);
    expect(arms.dashjs?.play_delay_ms).toEqual({ median: 150, mean: 150, ci95: null, n: 1, unit: 'ms' });
    expect(arms.dashjs?.switches?.n).toBe(2);
    expect(arms.dashjs?.rtt_median_ms).toBeUndefined();
  });

  it('compares treatments with the control in percent of its median', () => {
    const records = [
      ...[40, 40, 40].map((value, k) => record('dashjs', k + 1, { chunk_throughput_kbps: value })),
      ...[10, 10, 10].map((value, k) => record('sammy-paper', k + 1, { chunk_throughput_kbps: value })),
    ];
    expect(summarize(experiment, records, 1).comparisons).toEqual([
      {
        treatment: 'sammy-paper',
        control: 'dashjs',
        metric: 'chunk_throughput_kbps',
        change_pct: -75,
        ci95_pct: [-75, -75],
      },
    ]);
  });

  it('resamples pairs of runs in virtual time, which begin at the same position in every arm', () => {
    // In each run of sammy-paper, the SSIM is 2 dB lower than in the control's run of the same number.
    const ssim = [20, 12, 31, 17, 25, 14];
    const records = ssim.flatMap((mean_ssim_db, k) => [
      { ...record('dashjs', k + 1, { mean_ssim_db }), simulated: true as const },
      { ...record('sammy-paper', k + 1, { mean_ssim_db: mean_ssim_db - 2 }), simulated: true as const },
    ]);
    const [paired] = summarize(experiment, records, 1).comparisons;
    expect(paired?.matched).toEqual({ pairs: 6, ci95: [-2, -2] });
    // If runs are not paired, their spread hides the difference.
    const real = records.map(({ simulated: _, ...each }) => each);
    const [unpaired] = summarize(experiment, real, 1).comparisons;
    expect(unpaired?.matched).toBeUndefined();
    expect(unpaired?.ci95_pct?.[1]).toBeGreaterThan(0);
  });

  it('treats values that differ only by rounding as equal', () => {
    const records = [1, 2, 3].flatMap((k) => [
      { ...record('dashjs', k, { mean_bitrate_kbps: 3300 }), simulated: true as const },
      { ...record('sammy-paper', k, { mean_bitrate_kbps: 3300.0000000000005 }), simulated: true as const },
    ]);
    const [same] = summarize(experiment, records, 1).comparisons;
    expect(same).toMatchObject({ change_pct: 0, ci95_pct: [0, 0], matched: { pairs: 3, ci95: [0, 0] } });
  });

  it('compares within a condition', () => {
    const conditions = [{ name: 'slow' }, { name: 'fast' }];
    const records = [
      record('dashjs', 1, { rtt_median_ms: 10 }, 'slow'),
      record('sammy-paper', 1, { rtt_median_ms: 9 }, 'slow'),
      record('dashjs', 1, { rtt_median_ms: 20 }, 'fast'),
      record('sammy-paper', 1, { rtt_median_ms: 5 }, 'fast'),
    ];
    const { comparisons } = summarize(under(conditions), records, 1);
    expect(comparisons.map((each) => [each.treatment, each.control, each.change_pct])).toEqual([
      ['sammy-paper@slow', 'dashjs@slow', -10],
      ['sammy-paper@fast', 'dashjs@fast', -75],
    ]);
  });

  it('compares with the only control if conditions do not affect it', () => {
    const conditions = [
      { name: 'unpaced', arms: ['dashjs'] },
      { name: '4-4', arms: ['sammy-paper'] },
    ];
    const records = [
      record('dashjs', 1, { rtt_median_ms: 20 }, 'unpaced'),
      record('sammy-paper', 1, { rtt_median_ms: 5 }, '4-4'),
    ];
    const [comparison] = summarize(under(conditions), records, 1).comparisons;
    expect(comparison).toMatchObject({
      treatment: 'sammy-paper@4-4',
      control: 'dashjs@unpaced',
      change_pct: -75,
    });
  });

  it('compares the conditions of a single arm with the first', () => {
    const conditions = [{ name: 'with-history' }, { name: 'without-history' }];
    const records = [
      record('sammy-paper', 1, { initial_bitrate_kbps: 3000 }, 'with-history'),
      record('sammy-paper', 1, { initial_bitrate_kbps: 2400 }, 'without-history'),
    ];
    const { comparisons } = summarize(under(conditions, { arms: ['sammy-paper'] }), records, 1);
    expect(comparisons).toHaveLength(1);
    expect(comparisons[0]).toMatchObject({
      treatment: 'sammy-paper@without-history',
      control: 'sammy-paper@with-history',
      change_pct: -20,
    });
  });

  it('pairs the arms of a condition in a paired experiment', () => {
    const conditions = ['a', 'b', 'c'].map((name) => ({ name }));
    const ratios = { a: [0, 0.01], b: [0.5, 0.52], c: [0.1, 0.1] } as const;
    const records = Object.entries(ratios).flatMap(([condition, [control, treatment]]) => [
      record('dashjs', 1, { rebuffer_ratio: control }, condition),
      record('sammy-paper', 1, { rebuffer_ratio: treatment }, condition),
    ]);
    const { comparisons } = summarize(under(conditions, { paired: true }), records, 1);
    const paired = comparisons.filter((each) => 'paired' in each);
    expect(paired).toHaveLength(1);
    // The mean is (0.01 + 0.02 + 0) / 3. There is no percentage, because the control is 0 in condition `a`.
    expect(paired[0]).toMatchObject({
      treatment: 'sammy-paper',
      control: 'dashjs',
      paired: true,
      n: 3,
      change_pct: null,
    });
    expect(paired[0]?.difference).toBeCloseTo(0.01, 12);
    expect(paired[0]?.ci95?.[0]).toBeCloseTo(0, 12);
    expect(paired[0]?.ci95?.[1]).toBeCloseTo(0.02, 12);
  });

  it('contains no number that JSON cannot express', () => {
    const value = fc.oneof(fc.constant(0), fc.constant(null), fc.double({ min: 0, max: 1e9, noNaN: true }));
    const measured = fc.record({
      rebuffer_ratio: value,
      retransmit_pct: value,
    }) satisfies fc.Arbitrary<Measured>;
    fc.assert(
      fc.property(fc.array(fc.tuple(measured, measured), { maxLength: 4 }), (pairs) => {
        const paired = under(
          pairs.map((_, index) => ({ name: `c${index}` })),
          { paired: true },
        );
        const records = pairs.flatMap(([control, treatment], index) => [
          record('dashjs', 1, control, `c${index}`),
          record('sammy-paper', 1, treatment, `c${index}`),
        ]);
        const summary = summarize(paired, records, 1);
        expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
      }),
      { numRuns: 20 },
    );
  });

  it('knows every metric', () => {
    const all = Object.fromEntries(metrics.map(({ name }) => [name, 1])) as Measured;
    const { arms } = summarize(experiment, [record('dashjs', 1, all)], 1);
    expect(Object.keys(arms.dashjs ?? {})).toEqual(metrics.map(({ name }) => name));
  });
});

describe('medianChange', () => {
  it('is null for a control of 0', () => {
    expect(medianChange([1, 2], [0, 0], 1)).toEqual({ change_pct: null, ci95_pct: null });
  });

  it('has no interval if the control is 0 in many resamples', () => {
    expect(medianChange([1, 1, 1], [0, 1, 1], 1)).toEqual({ change_pct: 0, ci95_pct: null });
  });

  it('has no interval for two runs on a side', () => {
    expect(medianChange([3, 3], [2, 2, 2], 1)).toEqual({ change_pct: 50, ci95_pct: null });
    expect(medianChange([3, 3, 3], [2, 2], 1)).toEqual({ change_pct: 50, ci95_pct: null });
  });

  it('is null for a control below 0, where an increase would look like a decrease', () => {
    expect(medianChange([3, 3, 3], [-1, -1, -1], 1)).toEqual({ change_pct: null, ci95_pct: null });
  });
});

describe('positions in one trace', () => {
  it('count as one pair, by their mean', () => {
    const conditions = [
      { name: 'a-1', cluster: 'a' },
      { name: 'a-2', cluster: 'a' },
      { name: 'b-1', cluster: 'b' },
    ];
    const of = (arm: string, values: readonly number[]) =>
      values.map((rtt_median_ms, index) => record(arm, 1, { rtt_median_ms }, conditions[index]?.name));
    const records = [...of('dashjs', [10, 30, 50]), ...of('sammy-paper', [11, 35, 40])];
    const { comparisons } = summarize(under(conditions, { paired: true }), records, 1);
    const [paired] = comparisons.filter((each) => 'paired' in each);
    // In `a`, the change is from 20 to 23, in `b` from 50 to 40: the mean of +3 and -10 is -3.5, and the median of +15%
    // and -20% is -2.5%.
    expect(paired).toMatchObject({ n: 2, difference: -3.5, change_pct: -2.5 });
  });
});

describe('pairedChange', () => {
  it('removes the effect of a condition on both arms', () => {
    const pairs = [100, 1000, 10_000, 40_000].map((control) => ({ control, treatment: control * 0.9 }));
    const { change_pct, ci95_pct, difference } = pairedChange(pairs, 1);
    expect(change_pct).toBeCloseTo(-10, 9);
    expect(ci95_pct?.[0]).toBeCloseTo(-10, 9);
    expect(ci95_pct?.[1]).toBeCloseTo(-10, 9);
    // The mean of the differences, -(10 + 100 + 1000 + 4000) / 4.
    expect(difference).toBeCloseTo(-1277.5, 9);
  });

  it('has the change of the means, in which conditions with larger values have more weight', () => {
    const pairs = [
      { control: 0, treatment: 1 },
      { control: 90, treatment: 40 },
      { control: 10, treatment: 19 },
    ];
    // The sums change from 100 to 60. There is no median of the changes, because one control is 0.
    expect(pairedChange(pairs, 1)).toMatchObject({ change_pct: null, means_pct: -40 });
    // In one of 27 resamples, all three pairs are the first pair, whose control is 0. As 1/27 exceeds 2.5%, the
    // interval has no upper end.
    expect(pairedChange(pairs, 1).means_ci95_pct).toBeNull();
    const many = Array.from({ length: 30 }, (_, index) => ({
      control: 10 + index,
      treatment: 6 + 0.6 * index,
    }));
    const [low, high] = pairedChange(many, 1).means_ci95_pct ?? [0, 0];
    expect(low).toBeCloseTo(-40, 9);
    expect(high).toBeCloseTo(-40, 9);
  });

  it('has no interval for two pairs', () => {
    const pair = { control: 2, treatment: 3 };
    expect(pairedChange([pair, pair], 1)).toEqual({
      paired: true,
      difference: 1,
      ci95: null,
      change_pct: 50,
      ci95_pct: null,
      means_pct: 50,
      means_ci95_pct: null,
      skewed: false,
      n: 2,
    });
  });
});
