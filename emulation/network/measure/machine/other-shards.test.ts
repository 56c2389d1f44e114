import { expect, it } from 'vitest';
import { otherShards } from './other-shards.ts';

const commands = (lines: Readonly<Record<number, string>>) =>
  new Map(Object.entries(lines).map(([pid, line]) => [Number(pid), line.split(' ')] as const));
const shard = (words: string) => `node --import tsx tools/main.ts lab run ${words}`;

it('finds the shards of the same experiment, in any spelling of the command line', () => {
  const all = commands({
    10: shard('single --shard 1/3 --out a'),
    11: shard('single --out b --resume --shard=2/3'),
    12: 'node tools/run.mjs lab run single --shard 3/3',
    20: shard('networks --shard 2/3'),
    21: shard('single --shard 2/4'),
    22: shard('single'),
    23: shard('single --out c'),
    24: 'make -j 2',
    25: 'vim lab run single --shards',
    26: '',
  });
  expect(otherShards(10, all)).toEqual([11, 12]);
});

it('finds none if the lab is not a shard, or its process has ended', () => {
  const all = commands({ 10: shard('single'), 11: shard('single --shard 2/3') });
  expect(otherShards(10, all)).toEqual([]);
  expect(otherShards(99, all)).toEqual([]);
});
