import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';
import type { Outcome } from './outcome.ts';

/** Twenty traces, each with different noise. */
const outcomes = (throughput: number, stall: number, ssim: number): Outcome[] =>
  Array.from({ length: 20 }, (_, index) => ({
    chunk_throughput_kbps: throughput * (1 + 0.01 * Math.sin(index)),
    rebuffer_ratio: stall,
    mean_ssim_db: ssim + 0.01 * Math.cos(index),
  }));
const byDefault = outcomes(10_000, 0.01, 20);
const verdict = (...point: Parameters<typeof outcomes>) => judge(byDefault, outcomes(...point), 1).verdict;

describe('judge', () => {
  it('calls a point better that is clearly better in one objective, and not worse by the margins in the others', () => {
    expect(verdict(8000, 0.014, 19.95)).toBe('better');
    expect(verdict(10_000, 0.01, 20.5)).toBe('better');
    expect(verdict(10_400, 0.001, 20)).toBe('better');
  });

  it('does not if the gain is small, or has a cost', () => {
    expect(verdict(9600, 0.01, 20)).toBe('not better');
    expect(verdict(5000, 0.016, 20)).toBe('not better');
    expect(verdict(5000, 0.01, 19.8)).toBe('not better');
    expect(verdict(11_000, 0.01, 21)).toBe('not better');
    expect(verdict(10_000, 0.01, 20)).toBe('not better');
  });

  it('returns the differences with their intervals', () => {
    const { throughput_pct, stall_points } = judge(byDefault, outcomes(8000, 0.014, 20), 1);
    expect(throughput_pct.mean).toBeCloseTo(-20, 9);
    expect(throughput_pct.ci95?.[0]).toBeCloseTo(-20, 9);
    expect(stall_points.mean).toBeCloseTo(0.4, 9);
  });

  it('reports that two traces are too few, and omits sessions that did not play', () => {
    expect(judge(byDefault.slice(0, 2), byDefault, 1).verdict).toBe('too few traces');
    const silent: Outcome = { chunk_throughput_kbps: null, rebuffer_ratio: 1, mean_ssim_db: null };
    const { ssim_db, stall_points } = judge(byDefault, [silent, ...byDefault.slice(1)], 1);
    expect(ssim_db.n).toBe(19);
    // On one of twenty traces, the rebuffer ratio rises from 1% to 100%.
    expect(stall_points.mean).toBeCloseTo(99 / 20, 9);
  });
});
