import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seconds } from '../src/units.ts';
import { vp9CodecString } from './codec-string.ts';
import { INIT_SEGMENT } from './encode.ts';
import { encodeLadder, type Run } from './encode-ladder.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { AUDIO_ID, type EncodedRung } from './ladder.ts';
import { printManifest } from './manifest.ts';
import { writePlaylists } from './playlists.ts';
import { SSIM_WORK, measureQuality } from './measure-quality.ts';
import type { OnProgress } from '../system/progress.ts';
import { runFfmpeg } from './run-ffmpeg.ts';
import { MANIFEST_FILE, SIDECAR_FILE, buildSidecar, type QualitySidecar } from './sidecar.ts';
import type { Source } from './sources/source.ts';

export interface LadderJob {
  readonly source: Source;
  readonly ladder: readonly EncodedRung[];
  readonly tools: Ffmpeg;
  /** An empty folder to write into. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

/** Returns a function that runs ffmpeg in the job's folder and reports progress over the whole job. */
function runner({ source, tools, folder, signal, onProgress }: LadderJob): Run {
  const work = { done: 0, total: 1 + SSIM_WORK };
  return async ({ task, share, extra = false }, args) => {
    if (extra) work.total += share;
    const onFraction = (fraction: number): void =>
      onProgress({ task, fraction: (work.done + share * fraction) / work.total });
    onFraction(0);
    const duration_s = source.frames / source.frameRate;
    const [complaint] = await runFfmpeg(tools.ffmpeg, args, {
      cwd: folder,
      signal,
      duration_s,
      onFraction,
    }).catch((error: unknown) => {
      throw new Error(`${source.title} cannot be encoded: ${(error as Error).message}`, { cause: error });
    });
    if (complaint !== undefined && work.done === 0) {
      onProgress({ task: `${source.title} may be damaged; ffmpeg says: ${complaint}`, lasting: true });
    }
    work.done += share;
  };
}

/** Encodes the rungs of a video into an empty folder, measures their quality, and writes manifests and sidecar. */
export async function encodeFilm(job: LadderJob): Promise<QualitySidecar> {
  const { source, ladder, folder } = job;
  const run = runner(job);
  const sizes = await encodeLadder(source, ladder, folder, run);
  const quality = await measureQuality(source, ladder, folder, run);
  const sidecar = buildSidecar(source, ladder, sizes, quality);
  await writeFile(join(folder, SIDECAR_FILE), `${JSON.stringify(sidecar, null, 1)}\n`);
  await writeFile(join(folder, MANIFEST_FILE), await manifestText(source, sidecar, folder));
  await writePlaylists(folder);
  return sidecar;
}

async function manifestText(source: Source, sidecar: QualitySidecar, folder: string): Promise<string> {
  const representations = Object.entries(sidecar.representations);
  const video = await Promise.all(
    representations.flatMap(([id, rung]) => {
      if (rung.media !== 'video') return [];
      const { width, height, bitrate_kbps: bitrate } = rung;
      const init = readFile(join(folder, id, INIT_SEGMENT));
      return [init.then((segment) => ({ id, width, height, bitrate, codecs: vp9CodecString(segment) }))];
    }),
  );
  const audio = sidecar.representations[AUDIO_ID];
  return printManifest({
    title: source.title,
    ...(source.credit !== undefined && { credit: source.credit }),
    duration: seconds(source.frames / source.frameRate),
    frameRate: source.frameRate,
    video,
    ...(audio && { audio: { id: AUDIO_ID, codecs: 'opus', bitrate: audio.bitrate_kbps } }),
  });
}
