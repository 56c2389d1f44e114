import { readFileSync } from 'node:fs';
import { printManifest } from '../../../../media/manifest.ts';
import type { Film } from '../../model/player/film.ts';
import { kbps, seconds } from '../../../../src/units.ts';
import { AUDIO_INITIALIZATION, writeSegment, VIDEO_INITIALIZATION } from './synthetic-media.ts';

/** A file, reduced to the content that a buffer reads. */
export interface ServedFile {
  readonly type: string;
  readonly size_bytes: number;
  /** The first bytes; zeros follow. */
  readonly begins: Uint8Array;
}

/** The models of Fugu and Pensieve, which their arms fetch from the page's origin. */
const MODELS = ['fugu-ttp', 'pensieve-bitrate', 'pensieve-ssim'].map((name) => `/models/${name}.bin`);

/** A video's server: manifest, initialization segments and segments, generated from its sidecar. */
export class FilmServer {
  readonly #film: Film;
  readonly #manifest: Uint8Array;
  readonly #starts_s: readonly number[];

  constructor(film: Film) {
    this.#film = film;
    let start_s = 0;
    this.#starts_s = film.sidecar.segment_duration_s.map(
      (duration_s) => (start_s += duration_s) - duration_s,
    );
    this.#manifest = new TextEncoder().encode(makeManifest(film, start_s));
  }

  /** Undefined if there is no such file. */
  get(path: string): ServedFile | undefined {
    if (path === '/manifest.mpd') return whole('application/dash+xml', this.#manifest);
    if (MODELS.includes(path))
      return whole('application/octet-stream', readFileSync(new URL(`../../../..${path}`, import.meta.url)));
    const [, id = '', name = ''] = /^\/([^/]+)\/(init\.mp4|\d+\.m4s)$/.exec(path) ?? [];
    const sizes = this.#film.sidecar.representations[id]?.segment_bytes;
    if (!sizes) return undefined;
    const isSound = this.#film.ladders.audio?.some((rung) => rung.id === id);
    const type = isSound ? 'audio/mp4' : 'video/mp4';
    if (name === 'init.mp4') return whole(type, isSound ? AUDIO_INITIALIZATION : VIDEO_INITIALIZATION);
    const index = Number.parseInt(name) - 1;
    const [size_bytes, start_s, duration_s] = [
      sizes[index],
      this.#starts_s[index],
      this.#film.sidecar.segment_duration_s[index],
    ];
    if (size_bytes === undefined || start_s === undefined || duration_s === undefined) return undefined;
    return { type, size_bytes, begins: writeSegment(start_s, duration_s, size_bytes) };
  }
}

const whole = (type: string, begins: Uint8Array): ServedFile => ({ type, size_bytes: begins.length, begins });

function makeManifest({ ladders, sidecar }: Film, duration_s: number): string {
  const [sound] = ladders.audio ?? [];
  const [segment_s] = sidecar.segment_duration_s;
  return printManifest({
    title: 'a film by its sidecar',
    duration: seconds(duration_s),
    ...(segment_s !== undefined && { segment: seconds(segment_s) }),
    frameRate: 24,
    video: ladders.video.map(({ id, bitrate_kbps }) => ({
      ...{ id, codecs: 'vp09.00.31.08', bitrate: kbps(bitrate_kbps) },
      ...{ width: 1280, height: 720 },
    })),
    ...(sound && { audio: { id: sound.id, codecs: 'opus', bitrate: kbps(sound.bitrate_kbps) } }),
  });
}
