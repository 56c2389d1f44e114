import { readFileSync } from 'node:fs';
import { printManifest } from '../../../../media/manifest.ts';
import { MULTIVARIANT_FILE, printMultivariant, printPlaylist } from '../../../../media/playlists.ts';
import type { QualitySidecar } from '../../../../media/sidecar.ts';
import type { Film } from '../../model/player/film.ts';
import { bytes, kbps, seconds } from '../../../../src/units.ts';
import { AUDIO_INITIALIZATION, writeSegment, VIDEO_INITIALIZATION } from './synthetic-media.ts';

/** A file. Only the bytes that a player's buffer reads are stored. */
export interface ServedFile {
  readonly type: string;
  readonly size_bytes: number;
  /** The first bytes. All further bytes are zero. */
  readonly begins: Uint8Array;
}

/** The models of Fugu and Pensieve, which their arms fetch from the page's origin. */
const MODELS = ['fugu-ttp', 'pensieve-bitrate', 'pensieve-ssim'].map((name) => `/models/${name}.bin`);

/** A video's server: manifest, playlists, initialization segments and segments, generated from its sidecar. */
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

  /** Finds a file by its path; undefined if there is no such file. */
  get(path: string): ServedFile | undefined {
    if (path === '/manifest.mpd') return whole('application/dash+xml', this.#manifest);
    if (MODELS.includes(path))
      return whole('application/octet-stream', readFileSync(new URL(`../../../..${path}`, import.meta.url)));
    if (path === `/${MULTIVARIANT_FILE}`) return playlist(printVariants(this.#film));
    const [, id = '', name = ''] = /^\/([^/]+)\/(index\.m3u8|init\.mp4|\d+\.m4s)$/.exec(path) ?? [];
    const sizes = this.#film.sidecar.representations[id]?.segment_bytes;
    if (!sizes) return undefined;
    const isSound = this.#film.ladders.audio?.some((rung) => rung.id === id);
    const type = isSound ? 'audio/mp4' : 'video/mp4';
    if (name === 'index.m3u8') return playlist(printPlaylist(this.#film.sidecar.segment_duration_s, sizes));
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

const playlist = (text: string): ServedFile =>
  whole('application/vnd.apple.mpegurl', new TextEncoder().encode(text));

const VIDEO_CODEC = 'vp09.00.31.08';
const AUDIO_CODEC = 'opus';
const SIZE = { width: 1280, height: 720 };

/** Returns the text of the multivariant playlist. */
function printVariants({ ladders, sidecar }: Film): string {
  const { segment_duration_s } = sidecar;
  const duration_s = segment_duration_s.reduce((sum, each) => sum + each, 0);
  const [sound] = ladders.audio ?? [];
  const representations: Record<string, QualitySidecar['representations'][string]> = {};
  const codecs: Record<string, string> = {};
  for (const { id, bitrate_kbps } of [...ladders.video, ...(sound ? [sound] : [])]) {
    const segment_bytes = (sidecar.representations[id]?.segment_bytes ?? []).map(bytes);
    const size_bytes = segment_bytes.reduce((sum, each) => sum + each, 0);
    const rates = { bitrate_kbps, average_kbps: kbps((size_bytes * 8) / 1000 / duration_s), segment_bytes };
    const isSound = id === sound?.id;
    codecs[id] = isSound ? AUDIO_CODEC : VIDEO_CODEC;
    representations[id] = isSound
      ? { media: 'audio', ...rates }
      : { media: 'video', ...SIZE, ...rates, segment_ssim_db: [] };
  }
  return printMultivariant({ representations, segment_duration_s: segment_duration_s.map(seconds) }, codecs);
}

function makeManifest({ ladders, sidecar }: Film, duration_s: number): string {
  const [sound] = ladders.audio ?? [];
  const [segment_s] = sidecar.segment_duration_s;
  return printManifest({
    title: 'a film by its sidecar',
    duration: seconds(duration_s),
    ...(segment_s !== undefined && { segment: seconds(segment_s) }),
    frameRate: 24,
    video: ladders.video.map(({ id, bitrate_kbps }) => ({
      ...{ id, codecs: VIDEO_CODEC, bitrate: kbps(bitrate_kbps) },
      ...SIZE,
    })),
    ...(sound && { audio: { id: sound.id, codecs: AUDIO_CODEC, bitrate: kbps(sound.bitrate_kbps) } }),
  });
}
