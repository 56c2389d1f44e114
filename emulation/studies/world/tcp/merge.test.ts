import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import { USUAL } from '../files/written.ts';
import { METRICS, type Metrics } from '../session-row.ts';
import { mergeWorlds } from './merge.ts';
import { TCP_WORLD, WHOLE_DAY } from './real-time.ts';
import { keptName, ownRuns } from './run-tcp-links.ts';
import { keepShard } from './kept-shard.ts';
import { finishExperiment, LINKS_KEPT, linksOf, type TcpExperiment } from './tcp-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'world-merge-'));
afterAll(() => rmSync(root, { recursive: true }));

const asked: TcpExperiment = {
  ...{ days: 1, seed: 1, world: TCP_WORLD, treatment: 'sammy', design: 'paired', baselineDays: 0 },
  ...{ hours: WHOLE_DAY, jobs: 1, written: USUAL },
  command: 'npm run lab -- world --backend light --shard 1/2 --days 1 --out a',
};
const links = linksOf(asked);

/** Two sessions of each link. */
const resultOf = (run: (typeof links)[number]) => ({
  rows: ['treatment', 'control'].map((arm, index) => ({
    ...{ session_id: `${run.link}-${index}`, unit: `${run.link}-${index}`, cluster: run.link, arm },
    ...{ allocation: 0.95, started_at: '2026-03-02T00:00:00.000Z', window: null, washout: false },
    metrics: Object.fromEntries(
      METRICS.map((name, column) => [name, 1 + column + index + links.indexOf(run)]),
    ) as Metrics,
  })),
  leftOut: [],
  hours: [],
});

function shard(index: number): string {
  const folder = join(root, `shard-${index}`);
  const shard = { index, of: 2 };
  keepShard(folder, { shard, asked });
  mkdirSync(join(folder, LINKS_KEPT), { recursive: true });
  for (const run of ownRuns(links, shard))
    replaceFiles(join(folder, LINKS_KEPT), {
      [keptName(run)]: asJson({ run, hours: WHOLE_DAY, result: resultOf(run) }),
    });
  return folder;
}

const read = (folder: string, name: string): string => readFileSync(join(root, folder, name), 'utf8');

it('makes of the shards of a world what it is when one machine has played all links', async () => {
  const folders = [shard(1), shard(2)];
  const command = 'npm run lab -- merge';
  mkdirSync(join(root, 'whole', LINKS_KEPT), { recursive: true });
  finishExperiment(join(root, 'whole'), { ...asked, command }, links.map(resultOf));

  const { missing } = await mergeWorlds({ folders, outDir: join(root, 'merged'), command });
  expect(missing).toEqual([]);
  for (const name of ['sessions.csv', 'truth.json', 'world.json'])
    expect(read('merged', name)).toBe(read('whole', name));
  expect(JSON.parse(read('merged', 'validity.json'))).toHaveLength(links.length);
  expect(existsSync(join(root, 'merged', LINKS_KEPT))).toBe(false);
});

it('keeps the links of one shard, and names those that are missing and the command that plays them', async () => {
  const outDir = join(root, 'half');
  const { made, missing, again } = await mergeWorlds({ folders: [shard(2)], outDir, command: '' });
  expect(made).toEqual(links.filter(({ link }) => link === 'south').map(keptName));
  expect(missing).toEqual(links.filter(({ link }) => link === 'north').map(keptName));
  expect(again).toBe(`world --backend light --days 1 --out ${outDir}`);
  expect(existsSync(join(outDir, 'world.json'))).toBe(false);
});

it('refuses shards of another world', async () => {
  const [one, other] = [shard(1), shard(2)];
  keepShard(other, { shard: { index: 2, of: 2 }, asked: { ...asked, seed: 2 } });
  const merging = mergeWorlds({ folders: [one, other], outDir: join(root, 'none'), command: '' });
  await expect(merging).rejects.toThrow(`${other} has another world than ${one}`);
});
