import type { PlannedRun } from './study.ts';

/** One part of a plan, for one of several machines. */
export interface Shard {
  /** From 1 to `of`, inclusive. */
  readonly index: number;
  readonly of: number;
}

/** Parses a shard such as `2/3`, the form that test runners use. Throws an Error for anything else. */
export function readShard(text: string): Shard {
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index >= 1 && shard.index <= shard.of) return shard;
  throw new Error(`--shard is '${text}', expected K/N with K from 1 to N, such as 1/2`);
}

export const shardName = ({ index, of }: Shard): string => `${index}/${of}`;

export const shardFolder = (name: string, shard: Shard | undefined): string =>
  shard ? `${name}-${shard.index}-of-${shard.of}` : name;

/**
 * The shard's part of a plan, in the plan's order. Groups are assigned to the shards in turn, in order of their first
 * run. Each run is in exactly one shard, and the shards' numbers of groups differ by at most one.
 */
export function selectShardRuns(ordered: readonly PlannedRun[], shard: Shard | undefined): PlannedRun[] {
  if (!shard) return [...ordered];
  const groups = [...new Set(ordered.map(({ group }) => group))];
  const own = new Set(groups.filter((_, position) => position % shard.of === shard.index - 1));
  return ordered.filter(({ group }) => own.has(group));
}

/**
 * Returns the shard to run in a folder: the shard of its existing results, or else the requested shard. Throws an Error
 * of one line if the two differ.
 */
export function resolveShard(
  outDir: string,
  asked: Shard | undefined,
  before: { readonly shard?: Shard | undefined } | undefined,
): Shard | undefined {
  if (!before) return asked;
  const describeShard = (one: Shard | undefined) => (one ? shardName(one) : 'the whole plan');
  if (asked && describeShard(asked) !== describeShard(before.shard))
    throw new Error(
      `${outDir} has ${describeShard(before.shard)}, not shard ${describeShard(asked)}; choose another --out`,
    );
  return before.shard;
}
