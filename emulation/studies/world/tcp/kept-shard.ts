import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import type { Shard } from '../../../harness/runs/shard.ts';
import type { TcpExperiment } from './tcp-experiment.ts';

/** What the folder of a shard has beside its links. */
interface KeptShard {
  readonly shard: Shard;
  readonly asked: TcpExperiment;
}

const SHARD = 'shard.json';
export function keepShard(outDir: string, kept: KeptShard): void {
  mkdirSync(outDir, { recursive: true });
  replaceFiles(outDir, { [SHARD]: asJson(kept) });
}

/** Undefined if the folder has no shard of a world. */
export function shardIn(outDir: string): KeptShard | undefined {
  const file = join(outDir, SHARD);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptShard) : undefined;
}
