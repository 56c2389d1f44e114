import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatPct, formatPctInterval } from '../../ground/drawing/format.ts';
import type { MetricName } from '../../player/records/metrics.ts';
import type { ReportData } from './report-data.ts';
import { sentences } from './sentence.ts';
import type { Comparison, PairedComparison } from './summary.ts';
import { fixtureExperiment, writeFixture } from './testing/fixture.ts';
import { readReportData } from './write-report.ts';

let outDir = '';
let tenRuns: ReportData;
beforeAll(() => {
  outDir = mkdtempSync(join(tmpdir(), 'sentence-'));
  const folder = join(outDir, 'ten-runs');
  writeFixture(folder, fixtureExperiment);
  tenRuns = readReportData(folder);
});
afterAll(() => rmSync(outDir, { recursive: true }));

/** The data of ten runs of each arm, in which this comparison replaces the actual ones. */
const withComparison = (comparison: Comparison | PairedComparison): ReportData => ({
  ...tenRuns,
  summary: { ...tenRuns.summary, comparisons: [comparison] },
});

const withChange = (
  change_pct: number,
  [low, high]: readonly [number, number],
  metric: MetricName = 'rtt_median_ms',
): ReportData =>
  withComparison({ treatment: 'sammy-paper', control: 'dashjs', metric, change_pct, ci95_pct: [low, high] });

describe('the answer in a sentence', () => {
  it('states what is better, with its interval', () => {
    expect(sentences(withChange(-71, [-72, -70]))).toEqual([
      'sammy-paper compared with dashjs: better in smoothed RTT, median −71.0% (−72.0 to −70.0).',
    ]);
  });

  it('calls chunk throughput changed, neither better nor worse', () => {
    expect(sentences(withChange(-71, [-72, -70], 'chunk_throughput_kbps'))).toEqual([
      'sammy-paper compared with dashjs: changes chunk throughput −71.0% (−72.0 to −70.0).',
    ]);
    expect(sentences(withChange(24, [20, 28], 'chunk_throughput_kbps'))).toEqual([
      'sammy-paper compared with dashjs: changes chunk throughput +24.0% (+20.0 to +28.0).',
    ]);
  });

  it.each([
    ['inside the margin of 1%, without 0', 0.5, [0.2, 0.8], 'slightly worse, within the margin, in'],
    ['inside the margin, with 0', 0.2, [-0.5, 0.9], 'not worse in'],
    ['across the margin, without 0: harm', 2, [0.5, 4], 'worse in'],
    ['across the margin, without 0: benefit', -3, [-5, -0.9], 'better in'],
    ['across 0', -3, [-9, 2], 'cannot tell for'],
    ['across 0, as far as the margin on the worse side', -3, [-9, 0.5], 'cannot tell for'],
    ['outside the margin', 3, [1.2, 5], 'worse in'],
  ] as const)('of an interval %s states all numbers', (_, change, [low, high], words) => {
    const text = `${formatPct(change)} (${formatPctInterval([low, high])})`;
    expect(sentences(withChange(change, [low, high]))).toEqual([
      `sammy-paper compared with dashjs: ${words} smoothed RTT, median ${text}.`,
    ]);
  });

  // The margin is half a percentage point of the rebuffer ratio. The first two intervals reach beyond it.
  it.each([
    [3.25, [0.49, 6], 'worse in rebuffer ratio +3.25 points (0.49 to 6)'],
    [-0.39, [-0.6, -0.18], 'better in rebuffer ratio −0.39 points (−0.6 to −0.18)'],
    [0.2, [0.1, 0.3], 'slightly worse, within the margin, in rebuffer ratio +0.2 points (0.1 to 0.3)'],
    [0.1, [-0.2, 0.4], 'not worse in rebuffer ratio +0.1 points (−0.2 to 0.4)'],
    [0.3, [-0.2, 0.8], 'cannot tell for rebuffer ratio +0.3 points (−0.2 to 0.8)'],
  ] as const)('states a paired difference of %d points unchanged', (points, [low, high], words) => {
    const data = withComparison({
      ...{ treatment: 'sammy-paper', control: 'dashjs', metric: 'rebuffer_ratio', paired: true },
      ...{ difference: points / 100, ci95: [low / 100, high / 100], n: 30, skewed: false },
      ...{ change_pct: null, ci95_pct: null, means_pct: null, means_ci95_pct: null },
    });
    const experiment = { ...data.manifest.experiment, paired: true as const };
    const paired = { ...data, manifest: { ...data.manifest, experiment } };
    expect(sentences(paired)).toEqual([`sammy-paper compared with dashjs: ${words}.`]);
  });

  it('states that few runs allow no verdict', () => {
    const folder = join(outDir, 'three-runs');
    writeFixture(folder, { ...fixtureExperiment, runs: 3 });
    const [sentence = ''] = sentences(readReportData(folder));
    expect(sentence).toContain('no verdict from 3 runs, fewer than 5, on chunk throughput −');
    expect(sentence).not.toContain('better');
  });
});
