import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PAPER_LINK } from '../../network/links/link.ts';
import { comparedLines, compareRuns, differingSettings } from './compare.ts';
import { readRuns } from '../../player/records/read-runs.ts';
import { fixtureExperiment, writeFixture } from './testing/fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'compare-'));
afterAll(() => rmSync(root, { recursive: true }));
const writeFolder = (name: string, experiment: Partial<typeof fixtureExperiment>): string => {
  const folder = join(root, name);
  writeFixture(folder, { ...fixtureExperiment, seconds: 20, ...experiment });
  return folder;
};

describe('two folders', () => {
  const three = writeFolder('three', { runs: 3 });
  const five = writeFolder('five', { runs: 5 });

  it('are compared cell by cell, by the medians of their runs', () => {
    const compared = compareRuns(three, five);
    expect([...new Set(compared.map(({ cell }) => cell))]).toEqual([...fixtureExperiment.arms].sort());
    const [first] = compared;
    const middle = (folder: string) =>
      readRuns(folder)
        .filter(({ arm }) => arm === first?.cell)
        .map(({ metrics }) => metrics.chunk_throughput_kbps ?? NaN)
        .sort((a, b) => a - b);
    const [a, b] = [middle(three)[1] ?? NaN, middle(five)[2] ?? NaN];
    expect(first).toMatchObject({ metric: 'chunk_throughput_kbps', runs: [3, 5], medians: [a, b] });
    expect(first?.difference).toBeCloseTo(b - a, 9);
    const [low = NaN, high = NaN] = first?.ci95 ?? [];
    expect(low).toBeLessThanOrEqual(b - a);
    expect(high).toBeGreaterThanOrEqual(b - a);
  });

  it('that are identical have no differences', () => {
    for (const { difference } of compareRuns(three, three)) expect(difference).toBe(0);
    expect(comparedLines(compareRuns(three, three))[0]).toMatch(
      /^dashjs, chunk_throughput_kbps: [\d,.]+ and [\d,.]+ kbit\/s, 3 and 3 runs: 0 \(95%: .* to .*\), 0%$/,
    );
  });

  it('that differ in the link are reported with that difference', () => {
    expect(differingSettings(three, five)).toEqual([]);
    const slow = writeFolder('slow', {
      runs: 3,
      link: { ...PAPER_LINK, rate: { kind: 'constant', mbps: 4 } },
    });
    expect(differingSettings(three, slow)).toEqual([
      'the folders differ in link: 40 Mbit/s, 5 ms RTT, drop-tail queue of 100 kB, and 4 Mbit/s, 5 ms RTT, drop-tail queue of 100 kB',
    ]);
  });

  it('need a common cell', () => {
    const other = writeFolder('other', { runs: 1, arms: ['initial-only'] });
    expect(() => compareRuns(three, other)).toThrow(/have no cell in common: dashjs, .*; initial-only$/);
  });
});
