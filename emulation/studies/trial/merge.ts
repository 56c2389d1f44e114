import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { foldersIn, gather, type Merged, type Merging } from '../../harness/runs/merge.ts';
import { keyOf } from './blinding.ts';
import { dayName, numbered } from './draw-sessions.ts';
import { madeOf } from './keep-manifest.ts';
import { virtualTime } from './lanes.ts';
import { daysFolder, finishDay, underWayFolder } from './parts.ts';
import { keepSettings, settingsIn, type TrialSettings } from './settings.ts';
import { overTcp } from './tcp/over-tcp.ts';

/** Whether a trial was played into a folder. */
export const isTrial = (folder: string): boolean => settingsIn(folder) !== undefined;

/**
 * Puts the shards of one trial into a new folder, and finishes the days that are whole there. Throws an Error of one line for
 * folders of different trials; missing parts are returned, and `trial --resume` plays them.
 */
export async function mergeTrials({
  folders,
  outDir,
  command,
  mixedCommits,
}: Omit<Merging, 'experimentNamed'>): Promise<Merged & { readonly settings: TrialSettings }> {
  const parts = await Promise.all(folders.map(readShard));
  const [first] = parts;
  if (!first) throw new Error('merge: which folders? npm run lab -- merge DIR... --out DIR');
  for (const { folder, settings, manifest } of parts) {
    if (!isDeepStrictEqual(settings, first.settings))
      throw new Error(`${folder} has another trial than ${first.folder}`);
    if (manifest.commit !== first.manifest.commit && !mixedCommits)
      throw new Error(
        `${folder} was made by commit ${manifest.commit}, and ${first.folder} by ${first.manifest.commit}; --mixed-commits merges them, and marks it`,
      );
  }
  const { settings } = first;
  const merged = await gather(outDir, 'under-way', parts, planOf(settings), (folder) => {
    keepSettings(folder, settings);
    const { shard: _, ...manifest } = first.manifest;
    const commits = [...new Set(parts.map((part) => part.manifest.commit))];
    replaceFiles(folder, {
      'key.json': asJson(keyOf(settings.arms, settings.seed)),
      'manifest.json': asJson({
        ...{ ...manifest, command, commit: commits.join(', then ') },
        merged: parts.map((part) => part.manifest),
      }),
    });
    for (let day = 1; day <= settings.days; day++) {
      const underWay = underWayFolder(folder, day);
      const whole = partsOfDay(settings, day).length;
      if (existsSync(underWay) && readdirSync(underWay).length === whole) finishDay(folder, day);
    }
  });
  return { ...merged, settings, again: `trial --resume --out ${outDir}` };
}

async function readShard(folder: string) {
  const settings = settingsIn(folder);
  const manifest = madeOf(folder);
  if (!settings || !manifest) throw new Error(`${folder} has no trial`);
  if (!manifest.shard || existsSync(daysFolder(folder)))
    throw new Error(`${folder} is no shard of a trial: a day is whole there`);
  const runs: string[] = [];
  for (const day of await foldersIn(join(folder, 'under-way')))
    for (const part of await foldersIn(join(folder, 'under-way', day)))
      if (!part.endsWith('.tmp')) runs.push(`${day}/${part}`);
  return { folder, runs, settings, manifest };
}

const planOf = (settings: TrialSettings): string[] =>
  Array.from({ length: settings.days }, (_, index) => partsOfDay(settings, index + 1)).flat();

function partsOfDay({ sessions_per_day, over }: TrialSettings, day: number): string[] {
  const { sessionsOfAPart } = over === 'tcp' ? overTcp({ print: () => undefined }) : virtualTime;
  return Array.from(
    { length: Math.ceil(sessions_per_day / sessionsOfAPart) },
    (_, index) => `${dayName(day)}/part-${numbered(index + 1, 3)}`,
  );
}
