import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { readJson } from '../../ground/files/read-json.ts';
import { SPACE } from './space.ts';

/** What a search is asked for. */
export interface SearchRequest {
  /** Trials in all, those before a `--resume` included. */
  readonly trials: number;
  /** Processes. */
  readonly jobs: number;
  /** The length of each session, s. */
  readonly seconds: number;
  readonly seed: number;
}

/** What must be the same where a search goes on, since trials are compared with each other. */
export interface SearchSettings {
  /** The file or folder of traces; null for mahimahi's. */
  readonly traces: string | null;
  readonly seconds: number;
  readonly seed: number;
  /** The traces by name. */
  readonly names: readonly string[];
  readonly space: unknown;
}

const FILE = 'settings.json';

/** What a folder was asked for before; undefined if there is no search in it. Throws an Error that names a broken file. */
export const settingsIn = (outDir: string): SearchSettings | undefined =>
  existsSync(join(outDir, FILE))
    ? readJson(join(outDir, FILE), (value) => value as SearchSettings)
    : undefined;

/** Keeps the settings of a new search. Throws an Error of one line if the folder has another one. */
export function keepSettings(outDir: string, asked: Omit<SearchSettings, 'space'>): void {
  const settings: SearchSettings = { ...asked, space: SPACE };
  const before = settingsIn(outDir);
  if (before && asJson(before) !== asJson(settings))
    throw new Error(
      `${outDir} has a search on other traces, or with another --seconds or --seed; choose another --out`,
    );
  mkdirSync(outDir, { recursive: true });
  replaceFiles(outDir, { [FILE]: asJson(settings) });
}
