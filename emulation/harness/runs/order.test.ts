import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../ground/statistics/random.ts';
import { runName, type PlannedRun } from './study.ts';
import { inRounds } from './order.ts';
import { readShard, selectShardRuns, shardFolder, resolveShard } from './shard.ts';

const planned = (cells: readonly string[], runs: number, group: (cell: string, k: number) => string) =>
  cells.flatMap((cell) =>
    Array.from({ length: runs }, (_, index): PlannedRun => ({
      cell,
      k: index + 1,
      group: group(cell, index + 1),
    })),
  );

const CELLS = ['a@fast', 'a@slow', 'b@fast'];
const order = (seed: number) =>
  inRounds(
    planned(CELLS, 3, (_, k) => String(k)),
    seededRandom(seed),
  );

describe('inRounds', () => {
  it('has every cell once per round', () => {
    expect(order(1)).toHaveLength(9);
    for (const round of [0, 1, 2]) {
      const runs = order(1).slice(round * 3, round * 3 + 3);
      expect(runs.map(({ cell }) => cell).sort()).toEqual(CELLS);
      expect(runs.map(({ k }) => k)).toEqual([round + 1, round + 1, round + 1]);
    }
  });

  it('is the same for the same seed, and differs for most other seeds', () => {
    const names = (seed: number) => order(seed).map(runName).join();
    expect(names(1)).toEqual(names(1));
    expect(new Set([1, 2, 3, 4, 5].map(names)).size).toBeGreaterThan(1);
  });
});

describe('selectShardRuns', () => {
  const shards = (runs: readonly PlannedRun[], of: number) =>
    Array.from({ length: of }, (_, index) => selectShardRuns(runs, { index: index + 1, of }));

  it.each([1, 2, 3, 5])("assigns every run to one of %i shards, in the plan's order", (of) => {
    const ordered = order(7);
    const all = shards(ordered, of);
    expect(all.flat().map(runName).sort()).toEqual(ordered.map(runName).sort());
    for (const runs of all) expect(ordered.filter((run) => runs.includes(run))).toEqual(runs);
  });

  it('keeps groups together, and distributes them evenly', () => {
    const viewers = inRounds(
      planned(CELLS, 4, (cell) => cell),
      seededRandom(1),
    );
    const all = shards(viewers, 2);
    expect(all.map((runs) => new Set(runs.map(({ cell }) => cell)).size)).toEqual([2, 1]);
    expect(all.map((runs) => runs.length)).toEqual([8, 4]);
    for (const runs of all)
      for (const cell of CELLS)
        expect([[], [1, 2, 3, 4]]).toContainEqual(runs.filter((run) => run.cell === cell).map(({ k }) => k));
  });

  it('resumes the shard of the folder', () => {
    const shard = { index: 1, of: 2 };
    expect(resolveShard('out', shard, undefined)).toEqual(shard);
    expect(resolveShard('out', undefined, { shard })).toEqual(shard);
    expect(resolveShard('out', shard, { shard })).toEqual(shard);
    expect(() => resolveShard('out', shard, {})).toThrow(
      'out has the whole plan, not shard 1/2; choose another --out',
    );
    expect([shardFolder('world', shard), shardFolder('world', undefined)]).toEqual(['world-1-of-2', 'world']);
  });

  it('names a shard as test runners do', () => {
    expect(readShard('2/3')).toEqual({ index: 2, of: 3 });
    for (const text of ['0/2', '3/2', '2', '1/0', '-1/2', '1/2/3', ''])
      expect(() => readShard(text)).toThrow(`--shard is '${text}', expected K/N`);
  });
});
