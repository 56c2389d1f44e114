import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runStudy } from '../../harness/runs/run-study.ts';
import { namesOfRuns } from '../../harness/runs/testing/counting-study.ts';
import { threeRates } from './three-rates.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'example-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('the study of docs/lab/extend.md plays two arms at the rates of its own option, and is resumed without it', async () => {
  const outDir = join(folder, 'out');
  const conduct = { outDir, place: { backend: 'model' }, command: '' } as const;
  const asked = { rates: [2, 8], runs: 1, seconds: 10 };
  await expect(runStudy(threeRates, { ...conduct, asked, resume: false })).resolves.toBe('complete');
  const cells = ['dashjs@2mbps', 'dashjs@8mbps', 'sammy-paper@2mbps', 'sammy-paper@8mbps'];
  expect(namesOfRuns(outDir).sort()).toEqual(cells.map((cell) => `${cell}/1`));
  await runStudy(threeRates, { outDir, command: '', asked: { runs: 2 }, resume: true });
  expect(namesOfRuns(outDir)).toHaveLength(8);
  expect(existsSync(join(outDir, 'report.html'))).toBe(true);
});
