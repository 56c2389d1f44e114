import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loopedFilm } from '../../media/looped-film.ts';
import { directoryOrigin } from '../../edge/local/directory-origin.ts';
import { splitSegment } from './split-segment.ts';
import type { Fault } from './test-edge.ts';

const SEGMENT_MS = 2000;
/** Number of chunks per segment. Each chunk has six frames. */
const CHUNKS = 8;
const CHUNK_MS = SEGMENT_MS / CHUNKS;
/** The channel's age at the start of the test. */
const SINCE_MS = 60_000;
/** Repetitions of the test video, for a channel of one hour. */
const TIMES = 150;

/**
 * Serves the test video as a low-latency live channel: each segment is sent while it is being encoded, in chunks of 250
 * ms.
 */
export async function lowLatencyOrigin(directory: string): Promise<Fault> {
  const began = Date.now() - SINCE_MS;
  const film = await loopedFilm(await directoryOrigin(directory), directory, TIMES);
  const manifest = (await readFile(join(directory, 'manifest.mpd'), 'utf8'))
    .replace(
      /type="static" mediaPresentationDuration="[^"]+"/,
      `type="dynamic" availabilityStartTime="${new Date(began).toISOString()}" timeShiftBufferDepth="PT30S" minimumUpdatePeriod="PT500S"`,
    )
    .replaceAll(
      '<SegmentTemplate ',
      `<SegmentTemplate availabilityTimeOffset="${(SEGMENT_MS - CHUNK_MS) / 1000}" availabilityTimeComplete="false" `,
    );

  return async (url) => {
    if (!url.pathname.startsWith('/content/')) return undefined;
    if (url.pathname.endsWith('.mpd')) {
      return new Response(manifest, { headers: { 'Content-Type': 'application/dash+xml' } });
    }
    const number = Number(/\/(\d+)\.m4s$/.exec(url.pathname)?.[1]);
    if (!(number > 0)) return undefined;
    const made = (chunk: number) => began + (number - 1) * SEGMENT_MS + (chunk + 1) * CHUNK_MS;
    if (Date.now() < made(0) - CHUNK_MS) return new Response('not yet\n', { status: 404 });

    const whole = await film(new Request(new URL(url.pathname.replace('/content', ''), url)));
    const chunks = splitSegment(Buffer.from(await whole.arrayBuffer()), CHUNKS);
    let next = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, made(next) - Date.now())));
        const chunk = chunks[next++];
        if (chunk) controller.enqueue(chunk);
        if (next === CHUNKS) controller.close();
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'video/iso.segment' } });
  };
}
