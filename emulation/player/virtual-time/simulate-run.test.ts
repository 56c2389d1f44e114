import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bigBuckBunny } from '../../../media/films/big-buck-bunny.ts';
import { PAPER_LINK, type RateStep } from '../../network/links/link.ts';
import type { RunRecord } from '../records/run-record.ts';
import { RunSimulator } from './simulate-run.ts';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'simulate-run-'));
  writeFileSync(join(root, 'quality.json'), JSON.stringify(bigBuckBunny));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Makes a run of Shaka, and returns its outcome and its session.json. */
async function makeRun(steps: readonly RateStep[]) {
  const folder = join(root, 'run');
  const outcome = await new RunSimulator().make({
    ...{ arm: 'shaka', k: 1, seconds: 90, sammy: {}, film: root, folder },
    link: { ...PAPER_LINK, rate: { kind: 'schedule', steps } },
    ...{ switch: 'p4', edge: 'node', viewers: 'page', congestionControl: 'reno' },
    ...{ seed: 1, placeSeed: 1, asLab: false },
  });
  const record = JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8')) as RunRecord;
  return { outcome, record };
}

it('finishes a run whose player gives up on the network, with the error and the stall', async () => {
  const { outcome, record } = await makeRun([
    { seconds: 60, mbps: 0 },
    { seconds: 60, mbps: 5 },
  ]);
  expect(outcome).toEqual({ kind: 'finished' });
  expect(record.player_error).toBe('TIMEOUT');
  expect(record.metrics).toMatchObject({ play_delay_ms: null, rebuffer_ratio: 1, mean_bitrate_kbps: null });
});

it('records no error of a player that plays to the end', async () => {
  const { record } = await makeRun([{ seconds: 60, mbps: 5 }]);
  expect(record).not.toHaveProperty('player_error');
  expect(record.metrics.rebuffer_ratio).toBe(0);
});
