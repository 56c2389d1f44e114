import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asJson } from '../../../../system/replace-files.ts';
import { gather, type Merged, type Merging } from '../../../harness/runs/merge.ts';
import { shardIn } from './kept-shard.ts';
import { keptName, readKept } from './run-tcp-links.ts';
import { finishExperiment, LINKS_KEPT, linksOf, tellValidity, type TcpExperiment } from './tcp-experiment.ts';

/**
 * Puts the shards of one world over TCP into a new folder, and writes its sessions there if no link is missing. Throws an Error
 * of one line for folders of different worlds.
 */
export async function mergeWorlds({
  folders,
  outDir,
  command,
}: Pick<Merging, 'folders' | 'outDir' | 'command'>): Promise<Merged> {
  const parts = folders.map((folder) => {
    const kept = shardIn(folder);
    if (!kept) throw new Error(`${folder} has no shard of a world`);
    return { folder, runs: readdirSync(join(folder, LINKS_KEPT)), asked: kept.asked };
  });
  const [first] = parts;
  if (!first) throw new Error('merge: which folders? npm run lab -- merge DIR... --out DIR');
  const { asked } = first;
  const told = (each: TcpExperiment) => asJson({ ...each, command: '', jobs: 0 });
  const other = parts.find((part) => told(part.asked) !== told(asked));
  if (other) throw new Error(`${other.folder} has another world than ${first.folder}`);
  const links = linksOf(asked);
  const merged = await gather(outDir, LINKS_KEPT, parts, links.map(keptName), () => undefined);
  if (merged.missing.length === 0) {
    const results = links.flatMap((run) => readKept(join(outDir, LINKS_KEPT), run, asked.hours) ?? []);
    tellValidity(outDir, links, results);
    finishExperiment(outDir, { ...asked, command }, results);
  }
  // As it was typed first, but for the shard.
  const words = asked.command.replace('npm run lab -- ', '').replace(/ --(shard|out)[= ]\S+/g, '');
  return { ...merged, again: `${words} --out ${outDir}` };
}
