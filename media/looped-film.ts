import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sidecar } from '../src/film/sidecar.ts';
import { loopSidecar, wholeSegments } from './loop-sidecar.ts';
import { mediaTimescale, shiftSegment } from './shift-segment.ts';

/** Answers requests like a server. */
type Serves = (request: Request) => Promise<Response>;

/**
 * Serves a video several times as one long video of a single period, each repetition with later time stamps. A player
 * would download half of a one-minute video within seconds. Only segments of full length are repeated, because the
 * shorter last one would leave a gap in the numbers.
 */
export async function loopedFilm(film: Serves, directory: string, times: number): Promise<Serves> {
  const read = (name: string) => readFile(join(directory, name), 'utf8');
  const sidecar = JSON.parse(await read('quality.json')) as Sidecar;
  const whole = wholeSegments(sidecar);
  const loop_s = sidecar.segment_duration_s.slice(0, whole).reduce((sum, each) => sum + each, 0);
  const timescales = new Map(
    await Promise.all(
      Object.keys(sidecar.representations).map(
        async (id) => [id, mediaTimescale(await readFile(join(directory, id, 'init.mp4')))] as const,
      ),
    ),
  );
  const texts: Partial<Record<string, [string, string]>> = {
    '/manifest.mpd': [lengthened(await read('manifest.mpd'), loop_s * times), 'application/dash+xml'],
    '/quality.json': [JSON.stringify(loopSidecar(sidecar, whole, times)), 'application/json'],
  };
  return async (request) => {
    const url = new URL(request.url);
    const [text, type] = texts[url.pathname] ?? [];
    if (text !== undefined && type !== undefined) {
      return new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' } });
    }
    const [, id = '', number = ''] = /^\/([^/]+)\/(\d+)\.m4s$/.exec(url.pathname) ?? [];
    const timescale = timescales.get(id);
    const index = Number(number) - 1;
    if (timescale === undefined || index < whole || index >= whole * times) return film(request);
    url.pathname = `/${id}/${(index % whole) + 1}.m4s`;
    // Request the whole file without the client's headers, because a range or validator from the client refers to the
    // long video. An edge cuts out ranges (edge/ranged.ts).
    const answer = await film(new Request(url, { method: request.method }));
    if (!answer.ok || request.method === 'HEAD') return answer;
    const segment = new Uint8Array(await answer.arrayBuffer());
    shiftSegment(segment, Math.floor(index / whole) * loop_s, timescale);
    return new Response(segment, {
      headers: {
        'Content-Type': answer.headers.get('Content-Type') ?? 'video/iso.segment',
        'Content-Length': String(segment.length),
        'Cache-Control': 'no-cache',
      },
    });
  };
}

const lengthened = (manifest: string, duration_s: number): string =>
  manifest.replace(
    /mediaPresentationDuration="[^"]+"/,
    `mediaPresentationDuration="PT${duration_s.toFixed(3)}S"`,
  );
