import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { provenance, resumedBy } from '../../harness/runs/provenance.ts';
import type { Shard } from '../../harness/runs/shard.ts';
import type { TrialSettings } from './settings.ts';

const FILE = 'manifest.json';

type Made = { readonly command: string; readonly shard?: Shard | undefined } & Awaited<
  ReturnType<typeof provenance>
>;

/** What made the trial in a folder; undefined if there is none. */
export function madeOf(outDir: string): Made | undefined {
  const file = join(outDir, FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Made) : undefined;
}

/** Writes what made a trial: the command as it was typed first, every commit, versions and units. */
export async function keepManifest(
  outDir: string,
  command: string,
  { film, over }: Pick<TrialSettings, 'film' | 'over'>,
  shard: Shard | undefined,
): Promise<void> {
  const { versions, ...made } = await provenance();
  const now: Made = {
    command,
    ...made,
    versions: {
      node: versions.node ?? '',
      film,
      ...(over === 'tcp' && { mahimahi: versions.mahimahi ?? '' }),
    },
    units: 'in the names of the fields; stall_ratio is of the time watched',
    ...(shard && { shard }),
  };
  const before = madeOf(outDir);
  replaceFiles(outDir, { [FILE]: asJson(before ? resumedBy(before, now) : now) });
}
