import { describe, expect, it } from 'vitest';
import type { Measured } from '../../player/records/metrics.ts';
import type { ReportData } from './report-data.ts';
import { summarize } from './summary.ts';
import { fixtureExperiment } from './testing/fixture.ts';
import { record } from './testing/records.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import { LEAST_RUNS, decideVerdict } from './verdict.ts';

function verdict(control: readonly Measured[], treatment: readonly Measured[]) {
  const records = [
    ...control.map((metrics, index) => record('dashjs', index + 1, metrics)),
    ...treatment.map((metrics, index) => record('sammy-paper', index + 1, metrics)),
  ];
  const summary = summarize(fixtureExperiment, records, 1);
  const [comparison] = summary.comparisons;
  return comparison && decideVerdict({ summary } as ReportData, comparison);
}
const rtts = (...values: number[]) => values.map((rtt_median_ms) => ({ rtt_median_ms }));
const bitrates = (...values: number[]) => values.map((mean_bitrate_kbps) => ({ mean_bitrate_kbps }));
const rebuffers = (...values: number[]) => values.map((rebuffer_count) => ({ rebuffer_count }));

describe('decideVerdict', () => {
  it('knows the better direction', () => {
    expect(verdict(rtts(15, 16, 17, 18, 18), rtts(5, 5, 5, 5, 5))).toBe('better');
    expect(verdict(rtts(5, 5, 5, 5, 5), rtts(15, 16, 17, 18, 18))).toBe('worse');
    expect(verdict(bitrates(15, 16, 17, 18, 18), bitrates(5, 5, 5, 5, 5))).toBe('worse');
    expect(verdict(bitrates(5, 5, 5, 5, 5), bitrates(15, 16, 17, 18, 18))).toBe('better');
  });

  it('relates the interval to the margin: 0.1 dB, and half a percentage point', () => {
    const ssim = (...values: number[]) => values.map((mean_ssim_db) => ({ mean_ssim_db }));
    const ratio = (...values: number[]) => values.map((rebuffer_ratio) => ({ rebuffer_ratio }));
    const alike = [20, 20, 20, 20, 20];
    expect(verdict(ssim(...alike), ssim(19.95, 19.95, 19.95, 19.95, 19.95))).toBe('slightly worse');
    expect(verdict(ssim(...alike), ssim(20.05, 20.05, 20.05, 20.05, 20.05))).toBe('slightly better');
    expect(verdict(ssim(...alike), ssim(19.85, 19.85, 19.85, 19.85, 19.85))).toBe('worse');
    const noisy = [20, 20.01, 20.02, 20.01, 20];
    expect(verdict(ssim(...noisy), ssim(20, 20.01, 20.02, 20, 20.01))).toBe('not worse');
    expect(verdict(ssim(...noisy), ssim(20, 20.01, 20.02, 19.7, 19.7))).toBe('cannot tell');
    expect(verdict(ssim(...noisy), ssim(20, 20.01, 20.02, 20.7, 20.7))).toBe('cannot tell');
    const none = [0, 0, 0, 0, 0];
    expect(verdict(ratio(...none), ratio(0.004, 0.004, 0.004, 0.004, 0.005))).toBe('slightly worse');
    expect(verdict(ratio(...none), ratio(0.004, 0.004, 0.004, 0.004, 0.06))).toBe('worse');
    expect(verdict(ratio(0.02, 0.02, 0.02, 0.02, 0.02), ratio(...none))).toBe('better');
  });

  it('is undecided if the interval contains 0', () => {
    expect(verdict(rtts(4, 5, 6, 7, 7), rtts(4, 5, 6, 7, 7))).toBe('cannot tell');
  });

  it('compares the medians themselves if the control is 0', () => {
    expect(verdict(rebuffers(0, 0, 0, 0, 0), rebuffers(0, 0, 0, 0, 0))).toBe('no change');
    expect(verdict(rebuffers(0, 0, 0, 0, 0), rebuffers(1, 1, 1, 2, 2))).toBe('worse');
    expect(verdict(rebuffers(0, 0, 0, 0, 0), rebuffers(0, 0, 0, 2, 2))).toBe('cannot tell');
  });

  it('compares the medians themselves if the control is below 0', () => {
    const above = (...values: number[]) => values.map((rtt_above_base_ms) => ({ rtt_above_base_ms }));
    expect(verdict(above(-0.1, -0.2, -0.1, -0.2, -0.2), above(3, 3, 3, 4, 4))).toBe('worse');
    expect(verdict(above(-0.1, -0.2, -0.1, -0.2, -0.2), above(-3, -3, -3, -4, -4))).toBe('better');
  });

  it('requires enough runs to make chance unlikely', () => {
    expect(verdict(rtts(15), rtts(5))).toBe('too few runs');
    expect(verdict(rtts(15, 16, 17, 18), rtts(5, 5, 5, 5))).toBe('too few runs');
  });

  it('calls runs without a difference undecided in 19 of 20 cases', () => {
    const random = seededRandom(11);
    const normal = () => 100 + 5 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const sample = () => rtts(...Array.from({ length: LEAST_RUNS }, normal));
    const simulations = 200;
    let wrong = 0;
    for (let k = 0; k < simulations; k++) if (verdict(sample(), sample()) !== 'cannot tell') wrong++;
    // The limit is 5%, plus three standard errors.
    expect(wrong / simulations).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / simulations));
  });

  it.each([
    [5, 'too few runs'],
    [6, 'better'],
  ])('of %d pairs of runs in virtual time is %s', (pairs, expected) => {
    const simulated = (arm: string, rtt_ms: number) =>
      Array.from({ length: pairs }, (_, index) => ({
        ...record(arm, index + 1, { rtt_median_ms: rtt_ms + index }),
        simulated: true as const,
      }));
    const records = [...simulated('dashjs', 20), ...simulated('sammy-paper', 10)];
    const summary = summarize(fixtureExperiment, records, 1);
    const [comparison] = summary.comparisons;
    expect(comparison && decideVerdict({ summary } as ReportData, comparison)).toBe(expected);
  });

  it.each([
    [5, 'too few runs'],
    [6, 'better'],
  ])('of %d pairs of the same sign is %s', (pairs, expected) => {
    const conditions = Array.from({ length: pairs }, (_, index) => ({ name: `c${index}` }));
    const records = conditions.flatMap(({ name }, index) => [
      record('dashjs', 1, { rtt_median_ms: 100 + index }, name),
      record('sammy-paper', 1, { rtt_median_ms: 90 }, name),
    ]);
    const summary = summarize({ ...fixtureExperiment, conditions, paired: true }, records, 1);
    const paired = summary.comparisons.find((each) => 'paired' in each);
    expect(paired && decideVerdict({ summary } as ReportData, paired)).toBe(expected);
  });
});
