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
 * The folder's name follows from everything that determines the ladder, but not from the inputs' paths, which depend on the
 * cache.
 */
function ladderFolder(name: string, source: Source, ladder: readonly EncodedRung[]): string {
  const { fingerprint, picture, sound } = source;
  const key = cacheKey({ version: ENCODER_VERSION, fingerprint, picture, sound, ladder });
  return join(cacheFolder(), 'ladders', `${name}-${key}`);
}

const readContent = async (directory: string): Promise<Content> => {
  // A ladder that was created before HLS was supported has none.
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

/** The ladder of `source` if an earlier run left it in the cache. */
export const findLadder = (
  name: string,
  source: Source,
  ladder: readonly EncodedRung[],
): Promise<Content | undefined> => readContent(ladderFolder(name, source, ladder)).catch(() => undefined);

/** The ladder of `source` from the cache, encoded first if the cache does not have it yet. */
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
