import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder } from '../system/build-folder.ts';
import { cacheFolder, cacheKey } from '../system/cache.ts';
import { ENCODER_VERSION } from './encode.ts';
import { ensureFfmpeg } from './ffmpeg.ts';
import type { EncodedRung } from './ladder.ts';
import { encodeFilm } from './encode-film.ts';
import type { OnProgress } from '../system/progress.ts';
import { MULTIVARIANT_FILE, writePlaylists } from './playlists.ts';
import { SIDECAR_FILE, type QualitySidecar } from './sidecar.ts';
import type { Source } from './sources/source.ts';

/** A finished ladder on disk: a folder with `manifest.mpd` and `quality.json`. */
export interface Content {
  readonly directory: string;
  readonly title: string;
  readonly credit?: string;
  readonly license?: string;
}

/**
 * Returns the name of the folder, which depends on everything that determines the ladder, but not on the inputs' paths,
 * which depend on the cache.
 */
function ladderFolder(name: string, source: Source, ladder: readonly EncodedRung[]): string {
  const { fingerprint, picture, sound } = source;
  const key = cacheKey({ version: ENCODER_VERSION, fingerprint, picture, sound, ladder });
  return join(cacheFolder(), 'ladders', `${name}-${key}`);
}

const readContent = async (directory: string): Promise<Content> => {
  // A ladder that an earlier version created has no HLS playlists.
  if (!existsSync(join(directory, MULTIVARIANT_FILE))) await writePlaylists(directory);
  const sidecar = JSON.parse(await readFile(join(directory, SIDECAR_FILE), 'utf8')) as QualitySidecar;
  const { title, credit, license } = sidecar;
  return {
    directory,
    title,
    ...(credit !== undefined && { credit }),
    ...(license !== undefined && { license }),
  };
};

/** Returns the ladder of `source` if an earlier run left it in the cache. */
export const findLadder = (
  name: string,
  source: Source,
  ladder: readonly EncodedRung[],
): Promise<Content | undefined> => readContent(ladderFolder(name, source, ladder)).catch(() => undefined);

/** Returns the ladder of `source` from the cache. Encodes it first if the cache does not contain it. */
export async function cachedLadder(
  name: string,
  source: Source,
  ladder: readonly EncodedRung[],
  onProgress: OnProgress,
): Promise<Content> {
  const target = ladderFolder(name, source, ladder);
  const build = async (folder: string, signal: AbortSignal): Promise<void> => {
    const tools = await ensureFfmpeg(onProgress);
    await encodeFilm({ source, ladder, tools, folder, signal, onProgress });
  };
  const onWait = (owner: number): void =>
    onProgress({ task: `Waiting for process ${owner}, which is encoding the same video` });
  await buildFolder(target, build, { reuse: true, onWait });
  return readContent(target);
}
