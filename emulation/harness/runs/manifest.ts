import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asFields, asList, asNumber, asText } from '../../ground/files/check.ts';
import { readJson } from '../../ground/files/read-json.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import type { Settings } from './study.ts';
import type { Place } from './place.ts';
import type { Shard } from './shard.ts';

/** The content of `manifest.json`: the settings, the plan, the programs' versions and the times of a study. */
export interface Manifest<Has extends Settings = Settings> {
  /** The command as typed. */
  readonly command: string;
  readonly commit: string;
  /** The versions of browser, player, emulator and so on, by name. */
  readonly versions: Readonly<Record<string, string>>;
  readonly kernel: string;
  readonly seed: number;
  readonly units: unknown;
  readonly started: string;
  /** The time of the end; absent or null for an unfinished study. */
  readonly ended?: string | null;
  /** Where the runs were made: the backend, the link and the clock. */
  readonly place: Place;
  /** The experiment's settings, including those from the command line. */
  readonly experiment: Has;
  /** Every run of the plan, `<cell>/<k>`, including the runs of other shards. */
  readonly plan: readonly string[];
  /** Cells of the plan that the machine could not make, with the reason; absent if there are none. */
  readonly skipped?: Readonly<Record<string, string>>;
  /** The part of the plan that belongs to this folder; absent for the whole plan. */
  readonly shard?: Shard;
  /** The merged folders, in order; absent if nothing was merged. */
  readonly merged?: readonly MergedPart[];
  /**
   * Every attempt without a result, and the reason: the link was not as requested, the run failed, or a rule excluded
   * the run.
   */
  readonly removed: readonly RemovedRun[];
}

/** The command without `--out`, whose path is specific to the machine. */
export const withoutPlaces = (command: string): string => command.replace(/ --out[= ]\S+/g, '');

/** The separator between the commits of a manifest. */
export const THEN = ', then ';

export interface RemovedRun {
  readonly cell: string;
  readonly k: number;
  readonly reason: string;
}

/** How a merged folder's runs were made. */
export type MergedPart = Pick<Manifest, 'command' | 'commit' | 'versions' | 'kernel' | 'started'> & {
  readonly ended: string | null;
  readonly shard?: Shard;
};

export const hasManifest = (outDir: string): boolean => existsSync(join(outDir, 'manifest.json'));

/**
 * Reads `manifest.json`. Throws an Error that names the file and the problem. `checkSettings` checks the settings of
 * the experiment's kind.
 */
export function readManifest<Has extends Settings>(
  outDir: string,
  checkSettings: (experiment: unknown) => Has,
): Manifest<Has> {
  if (!hasManifest(outDir)) throw new Error(`${outDir} has no manifest.json, so it is not a results folder`);
  return readJson(join(outDir, 'manifest.json'), (value) => checkManifest(value, checkSettings));
}

export const writeManifest = (outDir: string, manifest: Manifest): void =>
  replaceFiles(outDir, { 'manifest.json': asJson(manifest) });

export function checkAnySettings(value: unknown): Settings {
  const experiment = asFields(value, 'experiment');
  for (const field of ['name', 'about', 'figure']) asText(experiment[field], `experiment: ${field}`);
  for (const field of ['runs', 'seconds']) asNumber(experiment[field], `experiment: ${field}`);
  return value as Settings;
}

function checkManifest<Has extends Settings>(
  value: unknown,
  checkSettings: (experiment: unknown) => Has,
): Manifest<Has> {
  const manifest = asFields(value, 'a manifest');
  for (const field of ['command', 'commit', 'kernel', 'started']) asText(manifest[field], field);
  if (manifest.ended !== undefined && manifest.ended !== null) asText(manifest.ended, 'ended');
  asNumber(manifest.seed, 'seed');
  asFields(manifest.place, 'place');
  for (const [name, version] of Object.entries(asFields(manifest.versions, 'versions'))) {
    asText(version, `versions: ${name}`);
  }
  for (const run of asList(manifest.plan, 'plan')) asText(run, 'plan: a run');
  if (manifest.shard !== undefined) {
    const shard = asFields(manifest.shard, 'shard');
    for (const field of ['index', 'of']) asNumber(shard[field], `shard: ${field}`);
  }
  return {
    ...(value as Manifest<Has>),
    experiment: checkSettings(manifest.experiment),
    removed: asList(manifest.removed, 'removed').map(checkRemoved),
  };
}

function checkRemoved(value: unknown): RemovedRun {
  const run = asFields(value, 'removed: a run');
  return {
    cell: asText(run.cell, 'removed: cell'),
    k: asNumber(run.k, 'removed: k'),
    reason: asText(run.reason, 'removed: reason'),
  };
}
