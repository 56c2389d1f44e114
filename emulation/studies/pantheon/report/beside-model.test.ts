import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readManifest } from '../../../harness/runs/manifest.ts';
import { runStudy } from '../../../harness/runs/run-study.ts';
import { pantheon } from '../pantheon.ts';
import { checkPantheonSettings } from '../settings.ts';
import { compareWithModel } from './beside-model.ts';
import { readScenarios } from './summary.ts';

let outDir = '';
beforeAll(() => {
  outDir = mkdtempSync(join(tmpdir(), 'beside-model-'));
});
afterAll(() => rmSync(outDir, { recursive: true }));

it('plays the same flows with the same seeds, so that runs of the model do not differ from themselves', async () => {
  const asked = { schemes: ['reno', 'bbr'], paths: ['lossy', 'wired'] as const, runs: 2, seconds: 4 };
  await runStudy(pantheon, { asked, outDir, place: { backend: 'model' }, resume: false, command: '' });
  const manifest = readManifest(outDir, checkPantheonSettings);
  const scenarios = readScenarios(outDir, manifest.experiment);
  expect(compareWithModel(manifest, scenarios)).toEqual([]);
  const rows = compareWithModel(
    { ...manifest, place: { backend: 'light', link: 'p4', clock: 'virtual' } },
    scenarios,
  );
  expect(rows.map(({ scenario, scheme }) => [scenario, scheme])).toEqual([
    ['lossy, 1 flow', 'reno'],
    ['lossy, 1 flow', 'bbr'],
    ['wired, 1 flow', 'reno'],
    ['wired, 1 flow', 'bbr'],
  ]);
  for (const { throughput_mbps, delay_p95_ms, loss_pct } of rows) {
    expect(throughput_mbps.difference_pct).toBe(0);
    expect(delay_p95_ms.difference_pct).toBe(0);
    expect(loss_pct.measured).toBe(loss_pct.model);
  }
}, 60_000);
