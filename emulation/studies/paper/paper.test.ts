import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asJson } from '../../../system/replace-files.ts';
import { writeManifest } from '../../harness/runs/manifest.ts';
import { checkEvidence } from './claims/evidence.ts';
import { listEvidence } from './claims/planned.ts';
import { plannedExhibits } from './exhibits/index.ts';
import { measurements } from './measurements/index.ts';
import { paper } from './paper.ts';
import { verdictLines, writeEvidence } from './write-evidence.ts';

const MINUTES = 60;
const totalCost = (form: 'quick' | 'full'): number =>
  measurements.reduce((sum, { cost_s, seeds }) => sum + seeds[form] * cost_s[form], 0);

describe('run paper', () => {
  it('takes 20 minutes with --jobs 2 and --quick, and five hours in full, by its estimates', () => {
    expect(totalCost('quick') / 2).toBeLessThan(20 * MINUTES);
    expect(totalCost('full') / 2).toBeLessThan(5 * 60 * MINUTES);
  });

  it('measures only what exhibits need', () => {
    const needed = Object.values(plannedExhibits).flat().flatMap(listEvidence);
    expect(measurements.map(({ name }) => name).sort()).toEqual([...new Set(needed)].sort());
  });

  it('repeats each measurement often enough for an interval', () => {
    for (const { name, seeds } of measurements) {
      expect(seeds.quick, name).toBeGreaterThanOrEqual(3);
      expect(seeds.full, name).toBeGreaterThanOrEqual(seeds.quick);
    }
  });

  it('plans a run for each seed of the requested measurements', async () => {
    const { runs, settings } = await paper.plan({ quick: true, runs: 2, only: ['alone', 'memory'] });
    expect(runs.map(({ cell, k }) => `${cell}/${k}`)).toEqual(['alone/1', 'alone/2', 'memory/1', 'memory/2']);
    expect(settings).toMatchObject({ form: 'quick', measurements: ['alone', 'memory'] });
  });
});

describe('the evidence of a folder', () => {
  let outDir: string;
  beforeEach(() => {
    outDir = mkdtempSync(join(tmpdir(), 'paper-'));
  });
  afterEach(() => rmSync(outDir, { recursive: true }));

  it('contains the values of measurements whose seeds are all finished, and the verdicts', () => {
    writeManifest(outDir, {
      ...{ command: 'lab run paper --out x', commit: 'abc', kernel: '6.1', seed: 4, units: '' },
      ...{ versions: { node: '20.0.0' }, started: '2026-01-02T03:04:05.000Z', ended: null, removed: [] },
      place: { backend: 'model', link: 'virtual', clock: 'virtual' },
      experiment: {
        ...{ name: 'paper', about: '', figure: '', runs: 2, seconds: 0, form: 'quick' },
        measurements: ['pace-bound', 'alone'],
      } as never,
      plan: ['pace-bound/2', 'alone/1', 'pace-bound/1', 'alone/2'],
    });
    const write = (run: string, values: object) => {
      mkdirSync(join(outDir, 'runs', run), { recursive: true });
      writeFileSync(join(outDir, 'runs', run, 'values.json'), asJson(values));
    };
    for (const [run, ratio] of [
      ['pace-bound/1', 1.001],
      ['pace-bound/2', 1.002],
    ] as const)
      write(run, {
        'empty buffer': { least_over_bound: 1 },
        'filled buffer': { least_over_bound: ratio, least_pace_over_bound_less_1: ratio },
      });
    write('alone/1', {});
    writeEvidence(outDir);
    const evidence = checkEvidence(
      JSON.parse(readFileSync(join(outDir, 'evidence/pace-bound.json'), 'utf8')),
    );
    expect(evidence).toMatchObject({
      ...{ form: 'quick', commit: 'abc', date: '2026-01-02', seeds: [4, 5] },
      command: 'npm run lab -- run paper --only pace-bound --quick --seed 4',
      values: { 'filled buffer': { least_over_bound: [1.001, 1.002] } },
    });
    expect(verdictLines(outDir)).toEqual([
      'sammy, Figure 2  holds',
      expect.stringMatching(/^1 measurements in /),
    ]);
  });
});
