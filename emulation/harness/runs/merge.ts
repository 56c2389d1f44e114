import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asFields } from '../../ground/files/check.ts';
import { readJson } from '../../ground/files/read-json.ts';
import type { Study, Settings } from './study.ts';
import {
  THEN,
  checkAnySettings,
  readManifest,
  writeManifest,
  type Manifest,
  type MergedPart,
} from './manifest.ts';

export interface Merging {
  readonly folders: readonly string[];
  readonly outDir: string;
  readonly command: string;
  /** Whether runs of several commits may be merged; the manifest then names all commits. */
  readonly mixedCommits: boolean;
  readonly findStudy: (name: string) => Study;
}

export interface Merged {
  readonly made: readonly string[];
  /** The missing runs, `<cell>/<k>`, in the order of the plan. */
  readonly missing: readonly string[];
  /** The command that makes the missing runs. */
  readonly again: string;
}

interface ResultsFolder {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly runs: readonly string[];
}

/**
 * Merges the runs of several folders of one experiment into a new folder, which is created only when everything is
 * copied. If a folder does not fit, throws an Error that names the folder and the reason. Returns the missing runs;
 * `--resume` can make them.
 */
export async function merge(merging: Merging): Promise<Merged> {
  const { folders, outDir, command, mixedCommits, findStudy } = merging;
  if (existsSync(outDir)) throw new Error(`${outDir} already exists; choose another --out`);
  const parts = await Promise.all(folders.map((folder) => readPart(folder, findStudy)));
  const [first] = parts;
  if (!first) throw new Error('merge needs folders: npm run lab -- merge DIR... --out DIR');
  for (const part of parts) checkFits(part, first, mixedCommits);
  const { name } = first.manifest.experiment;
  const study = findStudy(name);
  const { plan } = first.manifest;
  const folderByRun = mapRunsToFolders(parts);
  const unplanned = [...folderByRun.keys()].find((run) => !plan.includes(run));
  if (unplanned !== undefined)
    throw new Error(`${folderByRun.get(unplanned) ?? ''} has a run ${unplanned} that is not in its plan`);
  const missing = plan.filter((run) => !folderByRun.has(run));
  const unfinished = `${outDir}.merging-${process.pid}`;
  try {
    await mkdir(join(unfinished, 'runs'), { recursive: true });
    for (const [run, folder] of folderByRun) {
      await mkdir(dirname(join(unfinished, 'runs', run)), { recursive: true });
      await cp(join(folder, 'runs', run), join(unfinished, 'runs', run), { recursive: true });
    }
    writeManifest(unfinished, mergedManifest(parts, first, command, missing.length === 0));
    await rename(unfinished, outDir);
    // Written after the rename, because some reports contain the folder's name. If this fails, the runs are merged
    // nevertheless, and `lab report` can write the report.
    await study.report(outDir);
    const made = plan.filter((run) => folderByRun.has(run));
    return { made, missing, again: `${study.resumeCommand ?? `run ${name}`} --resume --out ${outDir}` };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function readPart(folder: string, findStudy: Merging['findStudy']): Promise<ResultsFolder> {
  const manifest = readManifest(folder, checkAnySettings);
  const { record } = findStudy(manifest.experiment.name);
  const runs: string[] = [];
  for (const cell of await foldersIn(join(folder, 'runs'))) {
    for (const k of await foldersIn(join(folder, 'runs', cell))) {
      const file = join(folder, 'runs', cell, k, record);
      if (!existsSync(file)) throw new Error(`${join(folder, 'runs', cell, k)} is incomplete: no ${record}`);
      readJson(file, (value) => asFields(value, 'a run'));
      runs.push(`${cell}/${k}`);
    }
  }
  return { folder, manifest, runs };
}

const foldersIn = async (folder: string): Promise<string[]> =>
  existsSync(folder)
    ? (await readdir(folder, { withFileTypes: true }))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort()
    : [];

function checkFits({ folder, manifest }: ResultsFolder, first: ResultsFolder, mixedCommits: boolean): void {
  const expected = first.manifest;
  const differs = (what: string, is: unknown, was: unknown) =>
    new Error(
      `${folder} has ${what} ${show(is)}, and ${first.folder} ${show(was)}: they are not from the same study`,
    );
  const [is, was] = [manifest.experiment, expected.experiment];
  const field = Object.keys({ ...was, ...is }).find(
    (name) => show(is[name as keyof Settings]) !== show(was[name as keyof Settings]),
  ) as keyof Settings | undefined;
  if (field !== undefined) throw differs(field === 'name' ? 'experiment' : field, is[field], was[field]);
  if (manifest.seed !== expected.seed) throw differs('seed', manifest.seed, expected.seed);
  if (manifest.versions.film !== expected.versions.film)
    throw differs('film', manifest.versions.film, expected.versions.film);
  if (show(manifest.plan) !== show(expected.plan)) throw differs('plan', manifest.plan, expected.plan);
  if (manifest.commit !== expected.commit && !mixedCommits)
    throw new Error(
      `${folder} was made by commit ${manifest.commit}, and ${first.folder} by ${expected.commit}; --mixed-commits merges them anyway, and records it`,
    );
}

const show = (value: unknown): string => {
  const text = JSON.stringify(value) as string | undefined;
  return text ?? 'none';
};

function mapRunsToFolders(parts: readonly ResultsFolder[]): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { folder, runs } of parts) {
    for (const run of runs) {
      const other = owners.get(run);
      if (other !== undefined) throw new Error(`${other} and ${folder} both have run ${run}`);
      owners.set(run, folder);
    }
  }
  return owners;
}

function mergedManifest(
  parts: readonly ResultsFolder[],
  first: ResultsFolder,
  command: string,
  whole: boolean,
): Manifest {
  const manifests = parts.map(({ manifest }) => manifest);
  const all = (of: (manifest: Manifest) => string | undefined, between: string) =>
    [...new Set(manifests.map(of).filter((value) => value !== undefined))].join(between);
  const names = new Set(manifests.flatMap(({ versions }) => Object.keys(versions)));
  const ends = manifests.flatMap(({ ended }) => ended ?? []).sort();
  const { shard: _, ...rest } = first.manifest;
  return {
    ...rest,
    command,
    commit: all(({ commit }) => commit, THEN),
    kernel: all(({ kernel }) => kernel, ', '),
    versions: Object.fromEntries(
      [...names].map((name) => [name, all(({ versions }) => versions[name], ', ')]),
    ),
    started: manifests.map(({ started }) => started).sort()[0] ?? rest.started,
    ended: whole ? (ends.at(-1) ?? null) : null,
    merged: manifests.flatMap((manifest) => manifest.merged ?? [toMergedPart(manifest)]),
    removed: manifests.flatMap(({ removed }) => removed),
  };
}

const toMergedPart = ({
  command,
  commit,
  versions,
  kernel,
  started,
  ended = null,
  shard,
}: Manifest): MergedPart => ({
  ...{ command, commit, versions, kernel, started, ended },
  ...(shard && { shard }),
});
