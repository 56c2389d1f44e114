import type { PlannedRun } from './experiment.ts';

/** One part of a plan, for one of several machines. */
export interface Shard {
  /** From 1 to `of`. */
  readonly index: number;
  readonly of: number;
}

/** Reads a shard such as `2/3`, the form that test runners use. Throws an Error for anything else. */
export function readShard(text: string): Shard {
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index >= 1 && shard.index <= shard.of) return shard;
  throw new Error(`--shard is '${text}', expected K/N with K from 1 to N, such as 1/2`);
}

export const shardName = ({ index, of }: Shard): string => `${index}/${of}`;

/**
 * The shard's runs, in their order. Groups are assigned to the shards in turn, by their first run. Every run is in exactly
 * one shard, and the shards' numbers of groups differ by at most one.
 */
export function runsOfShard(ordered: readonly PlannedRun[], shard: Shard | undefined): PlannedRun[] {
  if (!shard) return [...ordered];
  const groups = [...new Set(ordered.map(({ group }) => group))];
  const own = new Set(groups.filter((_, position) => position % shard.of === shard.index - 1));
  return ordered.filter(({ group }) => own.has(group));
}
