import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MetricName } from '../../player/records/metrics.ts';
import type { ReportData } from './report-data.ts';
import { sentences } from './sentence.ts';
import { fixtureExperiment, writeFixture } from './testing/fixture.ts';
import { readReportData } from './write-report.ts';

let outDir = '';
beforeEach(() => {
  outDir = mkdtempSync(join(tmpdir(), 'sentence-'));
});
afterEach(() => rmSync(outDir, { recursive: true }));

/** The data of ten runs each, with one comparison in place of those that were made. */
function withChange(
  change_pct: number,
  ci95_pct: [number, number],
  metric: MetricName = 'rtt_median_ms',
): ReportData {
  writeFixture(outDir, fixtureExperiment);
  const data = readReportData(outDir);
  const comparison = {
    ...{ treatment: 'sammy', control: 'dashjs', metric },
    ...{ change_pct, ci95_pct },
  };
  return { ...data, summary: { ...data.summary, comparisons: [comparison] } };
}

describe('the answer in a sentence', () => {
  it('says what is better, with its interval', () => {
    expect(sentences(withChange(-71, [-72, -70]))).toEqual([
      'sammy compared with dashjs: better in smoothed RTT, median −71.0% (−72.0 to −70.0).',
    ]);
  });

  it('calls a lower or higher chunk throughput changed, neither better nor worse', () => {
    expect(sentences(withChange(-71, [-72, -70], 'chunk_throughput_kbps'))).toEqual([
      'sammy compared with dashjs: changes chunk throughput −71.0% (−72.0 to −70.0).',
    ]);
    expect(sentences(withChange(24, [20, 28], 'chunk_throughput_kbps'))).toEqual([
      'sammy compared with dashjs: changes chunk throughput +24.0% (+20.0 to +28.0).',
    ]);
  });

  it('calls nothing better or worse of which the interval reaches into the margin of 1%', () => {
    for (const [change, interval] of [
      [-3, [-5, -0.9]],
      [2, [0.5, 4]],
    ] as const)
      expect(sentences(withChange(change, [...interval]))).toEqual([
        'sammy compared with dashjs: within the margin in smoothed RTT, median.',
      ]);
    expect(sentences(withChange(3, [1.2, 5]))).toEqual([
      'sammy compared with dashjs: worse in smoothed RTT, median +3.0% (+1.2 to +5.0).',
    ]);
  });

  it('says that what has 0 in its interval shows no difference, and that few runs allow no verdict', () => {
    expect(sentences(withChange(-3, [-9, 2]))).toEqual([
      'sammy compared with dashjs: no difference shown in smoothed RTT, median.',
    ]);
    rmSync(outDir, { recursive: true });
    writeFixture(outDir, { ...fixtureExperiment, runs: 3 });
    const [sentence = ''] = sentences(readReportData(outDir));
    expect(sentence).toContain('no verdict from 3 runs, fewer than 5, on chunk throughput −');
    expect(sentence).not.toContain('better');
  });
});
