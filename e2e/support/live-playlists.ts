import { directoryOrigin } from '../../edge/local/directory-origin.ts';
import { ensureTestContent } from '../../media/sources/footage.ts';
import type { Fault } from './test-edge.ts';

/** The stream began `BEGAN` segments before the first request; a playlist lists the latest `WINDOW` segments. */
const [BEGAN, WINDOW, SEGMENT_MS] = [5, 5, 2000];

/** Serves the media playlists of the test content as a live stream, which starts with the first request. */
export async function livePlaylists(): Promise<Fault> {
  const film = await directoryOrigin((await ensureTestContent()).directory);
  let began: number | undefined;
  return async (url) => {
    if (!url.pathname.endsWith('/index.m3u8')) return undefined;
    const recorded = await film(new Request(new URL(url.pathname.replace('/content', ''), url)));
    const [head = '', ...segments] = (await recorded.text())
      .replace('#EXT-X-ENDLIST', '')
      .split(/(?=#EXT-X-BITRATE)/);
    began ??= performance.now();
    const last = BEGAN + Math.floor((performance.now() - began) / SEGMENT_MS);
    const first = Math.max(0, last - WINDOW);
    const live = head
      .replace(/#EXT-X-PLAYLIST-TYPE:VOD\n/, '')
      .replace('MEDIA-SEQUENCE:1', `MEDIA-SEQUENCE:${1 + first}`);
    return new Response(live + segments.slice(first, last).join(''));
  };
}
