import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sessionsIn } from '../../demo/experiment/link.ts';
import { runExperiment } from '../../demo/experiment/run.ts';
import { ensurePython, pythonEnv, missingPythonReason } from '../../system/python.ts';
import { expect, test } from '../support/fixtures.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'e2e-experiment-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('an experiment in browsers, from its configuration to the analysis of the stored sessions', async () => {
  test.setTimeout(600_000);
  const rows = await runExperiment({ folder, days: 3, viewers: 1, seconds: 5, onProgress: () => undefined });
  expect(rows.map(({ cluster, arm }) => `${String(cluster)} ${String(arm)}`).sort()).toEqual([
    ...Array<string>(3).fill('north treatment'),
    ...Array<string>(3).fill('south control'),
  ]);
  const missing = await missingPythonReason();
  // Without a Python for analysis/, the rest is skipped. CI must have one.
  test.skip(missing !== null && process.env.CI === undefined, `the analysis is not tested: ${missing}`);
  const python = await ensurePython(() => undefined);
  const { stdout: said } = await promisify(execFile)(
    python,
    ['-m', 'sammy_analysis', 'analyze', sessionsIn(folder), '--out', join(folder, 'experiment.html')],
    { env: pythonEnv() },
  );
  expect(said).toContain('6 sessions, read as paired links');
  expect(said).toContain('an earlier record of a session; the last one counts: 6 rows');
  // The treatment's maximum bitrate allows only the lowest rung, so its chunk throughput is lower. Bitrates are not
  // checked: if all are equal within an arm, the report gives no interval for them.
  expect(said).toMatch(/^Chunk throughput: −\d/m);
  expect(said).not.toContain('left out');
});
