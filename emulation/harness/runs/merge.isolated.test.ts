import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkAnySettings, readManifest, writeManifest, type Manifest } from './manifest.ts';
import { merge } from './merge.ts';
import { runStudy, type StudyRun } from './run-study.ts';
import { countingStudy, namesOfRuns, type Counting } from './testing/counting-study.ts';

vi.mock('../../ground/files/free-space.ts', () => ({ requireFreeSpace: vi.fn(() => Promise.resolve()) }));

let root: string;
const at = (name: string) => join(root, name);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'merge-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const run = (name: string, conducting: Partial<StudyRun> = {}, counting: Counting = {}) =>
  runStudy(countingStudy(counting), {
    ...{ asked: {}, outDir: at(name), resume: false, command: `lab run --out ${name}` },
    ...conducting,
  });
const shard = (index: number, conducting: Partial<StudyRun> = {}, counting: Counting = {}) =>
  run(String(index), { shard: { index, of: 2 }, ...conducting }, counting);
const merged = (folders: readonly string[], mixedCommits = false) =>
  merge({
    folders: folders.map(at),
    outDir: at('all'),
    command: 'lab merge',
    mixedCommits,
    findStudy: () => countingStudy(),
  });
const manifest = (name: string) => readManifest(at(name), checkAnySettings);
const edit = (name: string, change: Partial<Manifest>) =>
  writeManifest(at(name), { ...manifest(name), ...change });

describe('merge', () => {
  it('of all shards has the same runs as a single process', async () => {
    await run('whole', { seed: 3 });
    await shard(1, { seed: 3 });
    await shard(2, { seed: 3 }, { once: new Set(['b/2', 'a/2']) });
    await expect(merged(['1', '2'])).resolves.toMatchObject({
      missing: [],
      again: `run counting --resume --out ${at('all')}`,
    });
    expect(namesOfRuns(at('all'))).toEqual(namesOfRuns(at('whole')));
    for (const name of namesOfRuns(at('all')))
      expect(readFileSync(join(at('all'), 'runs', name, 'result.json'), 'utf8')).toBe(
        readFileSync(join(at('whole'), 'runs', name, 'result.json'), 'utf8'),
      );
    const { plan, seed, experiment, ended, shard: none, merged: parts } = manifest('all');
    const { plan: wholePlan, seed: wholeSeed, experiment: wholeExperiment } = manifest('whole');
    expect({ plan, seed, experiment }).toEqual({
      plan: wholePlan,
      seed: wholeSeed,
      experiment: wholeExperiment,
    });
    expect([none, typeof ended]).toEqual([undefined, 'string']);
    expect(parts?.map((part) => part.shard)).toEqual([
      { index: 1, of: 2 },
      { index: 2, of: 2 },
    ]);
    expect(manifest('all').removed).toHaveLength(2);
    expect(readFileSync(join(at('all'), 'report.html'), 'utf8').split('\n')).toHaveLength(4);
  });

  it('lists missing runs, which --resume completes', async () => {
    await shard(1);
    const ending = new AbortController();
    await shard(2, { signal: ending.signal }, { after: 1, then: () => ending.abort() });
    const { missing, made } = await merged(['1', '2']);
    expect(missing).toHaveLength(1);
    expect(made).toHaveLength(3);
    expect(manifest('all').ended).toBeNull();
    await run('all', { resume: true });
    expect(namesOfRuns(at('all'))).toEqual(['a/1', 'a/2', 'b/1', 'b/2']);
  });

  it('names a missing shard by its runs', async () => {
    await shard(2);
    await expect(merged(['2'])).resolves.toMatchObject({
      missing: expect.arrayContaining(['a/1', 'b/1']) as unknown,
    });
  });

  it('refuses folders of different commits unless that is allowed', async () => {
    await shard(1);
    await shard(2);
    edit('1', { commit: 'a1' });
    edit('2', { commit: 'b2' });
    await expect(merged(['1', '2'])).rejects.toThrow(
      /2 was made by commit b2, and .*1 by a1; --mixed-commits/,
    );
    await merged(['1', '2'], true);
    expect(manifest('all').commit).toBe('a1, then b2');
  });

  it.each<readonly [string, () => Promise<unknown> | undefined, RegExp]>([
    [
      'another seed',
      () => shard(2, { seed: 2 }),
      /2 has seed 2, and .*1 1: they are not from the same study/,
    ],
    ['other seconds', () => shard(2, { asked: { seconds: 9 } }), /2 has seconds 9, and .*1 1/],
    ['another film', () => shard(2, {}, { film: 'other' }), /2 has film "other", and .*1 "noise"/],
    ['a run twice', () => run('2'), /1 and .*2 both have run [ab]\/1/],
  ])('refuses %s, and creates nothing', async (_, second, message) => {
    await shard(1);
    await second();
    await expect(merged(['1', '2'])).rejects.toThrow(message);
    expect(existsSync(at('all'))).toBe(false);
  });

  it('refuses an unfinished run', async () => {
    await shard(1);
    await shard(2);
    const record = at('2/runs/a/2/result.json');
    writeFileSync(record, '{"cell": ');
    await expect(merged(['1', '2'])).rejects.toThrow(`${record} is damaged: `);
    rmSync(record);
    await expect(merged(['1', '2'])).rejects.toThrow(/2\/runs\/a\/2 is incomplete: no result.json/);
    expect(existsSync(at('all'))).toBe(false);
  });

  it('refuses an existing target, and a folder without results', async () => {
    await shard(1);
    await run('all');
    await expect(merged(['1'])).rejects.toThrow(/all already exists/);
    rmSync(at('all'), { recursive: true });
    await expect(merged(['1', 'nowhere'])).rejects.toThrow(/nowhere has no manifest.json/);
  });
});
