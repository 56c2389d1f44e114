import { plainResponse, type Origin } from '../../../../edge/origin.ts';
import { makeLadder } from '../../../../src/film/ladder.ts';
import { transferSize, kbps, seconds } from '../../../../src/units.ts';
import type { Film } from '../../../player/model/player/film.ts';
import type { World } from '../demand.ts';

const INIT_BYTES = 1000;

type Ladder = Pick<World, 'bitrates_kbps' | 'segment_s'>;

const segmentBytes = (bitrate_kbps: number, segment_s: number): number =>
  Math.round(transferSize(kbps(bitrate_kbps), seconds(segment_s)));

/** A video of at least `content_s`. As in the virtual world, the size of each segment follows from its bitrate. */
export function nominalFilm({ bitrates_kbps, segment_s }: Ladder, content_s: number): Film {
  const count = Math.ceil(content_s / segment_s);
  const all = <T>(value: T): T[] => Array.from({ length: count }, () => value);
  const video = makeLadder(bitrates_kbps.map((bitrate) => ({ id: `${bitrate}`, bandwidth: bitrate * 1000 })));
  if (!video) throw new Error('the video has no bitrates');
  return {
    ladders: { video },
    sidecar: {
      version: 1,
      segment_duration_s: all(segment_s),
      representations: Object.fromEntries(
        bitrates_kbps.map((bitrate) => [
          `${bitrate}`,
          { segment_bytes: all(segmentBytes(bitrate, segment_s)) },
        ]),
      ),
    },
  };
}

/**
 * Serves a video of nominal bitrates and unlimited length. Its segments contain zeros, because no viewer decodes the
 * video.
 */
export function nominalOrigin({ bitrates_kbps, segment_s }: Ladder): Origin {
  const sizes = new Map(bitrates_kbps.map((bitrate) => [`${bitrate}`, segmentBytes(bitrate, segment_s)]));
  const zeros = new Uint8Array(Math.max(INIT_BYTES, ...sizes.values()));
  return (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/film/manifest.mpd') return Promise.resolve(new Response('<MPD/>'));
    const [, id = '', name = ''] = /^\/film\/(\d+)\/(?:\d+|(init))\.(?:m4s|mp4)$/.exec(pathname) ?? [];
    const size = sizes.get(id);
    if (size === undefined) return Promise.resolve(plainResponse(404, 'there is no such segment'));
    return Promise.resolve(new Response(zeros.subarray(0, name === 'init' ? INIT_BYTES : size)));
  };
}
