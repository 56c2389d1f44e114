import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runStudy } from '../../harness/runs/run-study.ts';
import { pantheon } from '../pantheon/pantheon.ts';
import { calibrate } from './calibrate.ts';
import { readMeasuredPaths } from './measured-paths.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'measured-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (outDir: string, schemes: string[], flows: number[]) =>
  runStudy(pantheon, {
    ...{ outDir, place: { backend: 'model' }, resume: false, command: '' },
    asked: { schemes, flows, runs: 2, seconds: 3 },
  });

it('calibrates the paths of a run of pantheon by its single flows', async () => {
  const outDir = join(folder, 'own');
  await run(outDir, ['vegas'], [1]);
  const { seconds, from_s, paths } = readMeasuredPaths(outDir);
  expect([seconds, from_s, Object.keys(paths)]).toEqual([3, 0.75, ['wired']]);
  const { performances, least_delay_ms, repeatability_pct } = paths.wired ?? {};
  expect(Object.keys(performances ?? {})).toEqual(['vegas']);
  // 20 ms one way, and 1.009 ms for a frame at 12 Mbit/s. The two runs of the model differ by a few microseconds.
  expect(least_delay_ms).toBeCloseTo(21.009, 2);
  expect(repeatability_pct).toBeLessThan(5);
  const { settings } = await calibrate.plan({ from: outDir, quick: true });
  expect([settings.paths, settings.schemes, settings.seconds]).toEqual([['wired'], ['vegas'], 3]);
}, 60_000);

it('refuses a folder without a single flow of a modeled scheme', async () => {
  const outDir = join(folder, 'three');
  await run(outDir, ['vegas'], [3]);
  expect(() => readMeasuredPaths(outDir)).toThrow(
    /has no run with a single flow whose scheme is in the packet model/,
  );
}, 60_000);
