import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { directoryOrigin } from '../../../edge/local/directory-origin.ts';
import { plainResponse, type Origin } from '../../../edge/origin.ts';
import { loopedFilm } from '../../../media/looped-film.ts';
import { AUDIO_ID, AUDIO_KBPS, SEGMENT_S } from '../../../media/ladder.ts';
import { printManifest } from '../../../media/manifest.ts';
import { ensureTestContent } from '../../../media/sources/footage.ts';
import { kbps, seconds } from '../../../src/units.ts';

/** The test content's lowest rung. Every rung of a padded ladder shows its frames. */
const FRAMES_ID = 'v300';

/** Repetitions of the 24 s of test content, for a video of four minutes. */
const TIMES = 10;

/**
 * Serves `/RATES/manifest.mpd`, where RATES are bitrates in kbit/s such as `300-700-1300`, as a ladder of these
 * bitrates. All rungs have the same small frames, padded with a `free` box (ISO/IEC 14496-12 §8.1.2), which players
 * skip. So any ladder can be served without encoding it, and a browser decodes it with little effort.
 */
export async function paddedLadders(): Promise<Origin> {
  const { directory } = await ensureTestContent();
  const content = await loopedFilm(await directoryOrigin(directory), directory, TIMES);
  const codecs = codecsIn(await readFile(join(directory, 'manifest.mpd'), 'utf8'));
  return async (request) => {
    const url = new URL(request.url);
    const [, rates = '', rest = ''] = /^\/([\d-]+)(\/.*)$/.exec(url.pathname) ?? [];
    if (rest === '/manifest.mpd') {
      const ladder = rates.split('-').map(Number);
      const manifest = printManifest({
        title: 'Padded',
        duration: seconds(24 * TIMES),
        frameRate: 24,
        video: ladder.map((rate, index) => ({
          id: `v${rate}`,
          codecs: codecs.video,
          bitrate: kbps(rate),
          width: 16 * 8 * (index + 1),
          height: 9 * 8 * (index + 1),
        })),
        audio: { id: AUDIO_ID, codecs: codecs.audio, bitrate: AUDIO_KBPS },
      });
      return new Response(manifest, { headers: { 'Content-Type': 'application/dash+xml' } });
    }
    const [, kind = '', rate = '', file = ''] = /^\/(v|a)(\d+)\/([^/]+)$/.exec(rest) ?? [];
    if (file === '') return plainResponse(404, 'not in the ladder');
    url.pathname = `/${kind === 'a' ? AUDIO_ID : FRAMES_ID}/${file}`;
    const answer = await content(new Request(url));
    if (!answer.ok || kind === 'a' || !/^\d+\.m4s$/.test(file)) return answer;
    const frames = new Uint8Array(await answer.arrayBuffer());
    const segment = padded(frames, (Number(rate) * 1000 * SEGMENT_S) / 8);
    return new Response(segment, {
      headers: { 'Content-Type': 'video/mp4', 'Content-Length': String(segment.length) },
    });
  };
}

/** Appends a `free` box, so that the segment has `size` bytes. Leaves larger segments unchanged. */
function padded(segment: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const padding = Math.max(8, Math.round(size) - segment.length);
  const whole = new Uint8Array(segment.length + padding);
  whole.set(segment);
  new DataView(whole.buffer).setUint32(segment.length, padding);
  whole.set(new TextEncoder().encode('free'), segment.length + 4);
  return whole;
}

function codecsIn(manifest: string): { video: string; audio: string } {
  const codec = (id: string): string =>
    new RegExp(`id="${id}" codecs="([^"]+)"`).exec(manifest)?.[1] ??
    (() => {
      throw new Error(`the test content has no ${id}`);
    })();
  return { video: codec(FRAMES_ID), audio: codec(AUDIO_ID) };
}
