import { expect, test } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findStudy } from '../../../emulation/studies/sessions/index.ts';
import { runName } from '../../../emulation/harness/runs/study.ts';
import type { Manifest } from '../../../emulation/harness/runs/manifest.ts';
import { namesOfRuns } from '../../../emulation/harness/runs/testing/counting-study.ts';
import { missingLabReason } from '../../../emulation/host/setup/ensure-lab.ts';
import { missingSlurmReason } from '../../../emulation/host/setup/slurm.ts';
import { startSlurm, until } from '../../support/start-slurm.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const EXPERIMENT = 'buffer-paper';
/** Settings for four runs of one flow, the shortest possible runs. */
const ASKED = { quick: true, figures: [1], runs: 4, seconds: 5 };
const SHARDS = 2;
const JOB_WITHIN_MS = 240_000;

/** Runs `npm run lab -- ...`. Returns its exit status and its error output. */
async function lab(...args: string[]): Promise<{ status: unknown; said: string }> {
  const child = spawn(process.execPath, ['tools/run.mjs', 'lab', ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [status] = (await once(child, 'close')) as [unknown];
  return { status, said };
}

test('two shards under Slurm, one of them killed, are merged and completed to the runs of one process', async () => {
  const missing = missingSlurmReason() ?? (await missingLabReason());
  // Skipped without Slurm, mahimahi, root or the kernel's tcp_probe; CI installs Slurm and mahimahi.
  test.skip(missing !== null, missing ?? '');
  test.setTimeout(600_000);
  const folder = await mkdtemp(join(tmpdir(), 'dashjs-sammy-slurm-'));
  const slurm = await startSlurm(folder);
  try {
    const shardFolder = (index: number) => join(folder, `${EXPERIMENT}-${index}-of-${SHARDS}`);
    const options = [
      '--quick',
      '--figures',
      ASKED.figures.join(),
      '--runs',
      String(ASKED.runs),
      '--seconds',
      String(ASKED.seconds),
    ];
    const env = { EXPERIMENT, SHARDS: String(SHARDS), RESULTS: folder, LAB_OPTIONS: options.join(' ') };
    const submitted = await slurm.run(
      'sbatch',
      [
        '--parsable',
        `--array=0-${SHARDS - 1}`,
        `--output=${folder}/%A-%a.log`,
        'emulation/harness/cluster/slurm.sbatch',
      ],
      { cwd: root, env },
    );
    const job = submitted.trim();
    // Kill the first shard after its first run. The other shard continues.
    const queued = async () => (await slurm.run('squeue', ['--noheader'])).trim() !== '';
    await until(async () => namesOfRuns(shardFolder(1)).length > 0 || !(await queued()), JOB_WITHIN_MS);
    await slurm.run('scancel', [`${job}_0`]);
    await until(async () => !(await queued()), JOB_WITHIN_MS);

    const { runs } = await findStudy(EXPERIMENT).plan(ASKED);
    const planned = runs.map(runName).sort();
    const [first, second] = [namesOfRuns(shardFolder(1)), namesOfRuns(shardFolder(2))];
    expect(second, await logs(folder)).toHaveLength(Math.floor(planned.length / SHARDS));
    expect(first.length, await logs(folder)).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(planned.length / SHARDS);

    const all = join(folder, 'all');
    const merging = await lab('merge', shardFolder(1), shardFolder(2), '--out', all);
    expect(merging.status).toBe(1);
    const missing = planned.filter((run) => ![...first, ...second].includes(run));
    for (const run of missing) expect(merging.said).toContain(run);

    expect(
      (await lab('run', EXPERIMENT, '--resume', '--figures', ASKED.figures.join(), '--out', all)).status,
    ).toBe(0);
    expect(namesOfRuns(all).sort()).toEqual(planned);
    const manifest = JSON.parse(await readFile(join(all, 'manifest.json'), 'utf8')) as Manifest;
    expect([...(manifest.plan ?? [])].sort()).toEqual(planned);
    expect(manifest.merged?.map(({ shard }) => shard?.index)).toEqual([1, 2]);
    expect(typeof manifest.ended).toBe('string');
  } finally {
    await slurm.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Returns the shards' logs, to explain a failure. */
async function logs(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  return (
    await Promise.all(names.map(async (name) => `${name}:\n${await readFile(join(folder, name), 'utf8')}`))
  ).join('\n');
}
