import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { ladderFrameRate } from '../ladder.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { steadyPicture, steadySound, type Source } from './source.ts';

interface ProbedStream {
  readonly index: number;
  readonly codec_type?: string;
  readonly width?: number;
  readonly height?: number;
  readonly sample_aspect_ratio?: string;
  readonly avg_frame_rate?: string;
  readonly r_frame_rate?: string;
  readonly duration?: string;
  readonly disposition?: { readonly attached_pic?: number };
  readonly side_data_list?: readonly { readonly rotation?: number }[];
}

/** The part of the output of `ffprobe -of json -show_streams -show_format` that is used. */
export interface Probed {
  readonly streams?: readonly ProbedStream[];
  readonly format?: { readonly duration?: string };
}

/** Parses a ratio such as `24000/1001` or `16:15`. Undefined if ffprobe reports 0/0 or N/A. */
const ratio = (text: string | undefined): number | undefined => {
  const [numerator = NaN, denominator = NaN] = (text ?? '').split(/[/:]/).map(Number);
  const value = numerator / denominator;
  return Number.isFinite(value) && value > 0 ? value : undefined;
};

export interface Film {
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
  readonly duration_s: number;
  readonly pictureIndex: number;
  readonly soundIndex?: number;
}

/** Returns a probed file as a source, upright and with square pixels. Undefined if the file has no video. */
export function createSource(probed: Probed): Film | undefined {
  const streams = probed.streams ?? [];
  // Skip attached pictures, because the cover of an MP3 is a video stream too.
  const picture = streams.find(
    (stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1,
  );
  const sound = streams.find((stream) => stream.codec_type === 'audio');
  const duration_s = Number(picture?.duration ?? probed.format?.duration);
  const frameRate = ratio(picture?.avg_frame_rate) ?? ratio(picture?.r_frame_rate);
  if (!picture?.width || !picture.height || !(duration_s > 0) || frameRate === undefined) return undefined;
  const width = Math.round(picture.width * (ratio(picture.sample_aspect_ratio) ?? 1));
  // Swap width and height for a rotated video, because ffmpeg rotates a phone's video upright by itself.
  const lying = picture.side_data_list?.some(({ rotation }) => Math.abs(rotation ?? 0) % 180 === 90);
  return {
    ...(lying ? { width: picture.height, height: width } : { width, height: picture.height }),
    frameRate: ladderFrameRate(frameRate),
    duration_s,
    pictureIndex: picture.index,
    ...(sound && { soundIndex: sound.index }),
  };
}

/** Returns the source of a video file, cut or repeated to `wanted_s` seconds if given. */
export async function fileSource(file: string, ffprobe: string, wanted_s?: number): Promise<Source> {
  const path = resolve(file);
  const status = await stat(path).catch(() => undefined);
  if (!status) throw new Error(`'${file}' does not exist; name a video file, or use --synthetic`);
  if (!status.isFile()) throw new Error(`'${file}' is not a file; name a video file, or use --synthetic`);
  const probe = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', path];
  const film = await runQuietly(ffprobe, probe).then(
    (json) => createSource(JSON.parse(json) as Probed),
    () => undefined,
  );
  if (!film)
    throw new Error(`'${file}' is not a video that ffmpeg can read; name another, or use --synthetic`);

  const { width, height, frameRate, pictureIndex, soundIndex } = film;
  const duration_s = wanted_s ?? film.duration_s;
  const frames = Math.max(1, Math.round(duration_s * frameRate));
  const repeat = duration_s > film.duration_s ? ['-stream_loop', '-1'] : [];
  return {
    title: basename(path, extname(path)),
    inputs: [...repeat, '-i', path],
    inputCount: 1,
    picture: `[0:${pictureIndex}]scale=${width}:${height},${steadyPicture(frameRate, frames)}[picture]`,
    ...(soundIndex !== undefined && {
      sound: `[0:${soundIndex}]${steadySound(frames / frameRate)}[sound]`,
    }),
    width,
    height,
    frameRate,
    frames,
    fingerprint: `${basename(path)} ${status.size} bytes`,
  };
}
