import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Origin } from '../edge/origin.ts';
import type { Sidecar } from '../src/sidecar.ts';

/**
 * A film of a minute is over before its buffer is: half of it is downloaded within seconds. So the demo's
 * manifest plays the same segments several times over, one DASH period each, and the sidecar does likewise.
 */
export function loopManifest(manifest: string, times: number): string {
  const period = /<Period[^>]*>([\s\S]*?)<\/Period>/.exec(manifest);
  const duration_s = parseDuration(/mediaPresentationDuration="PT([^"]+)"/.exec(manifest)?.[1]);
  if (!period || duration_s === undefined) return manifest;
  const periods = Array.from({ length: times }, (_, index) => {
    const start = (index * duration_s).toFixed(3);
    return `<Period id="${index}" start="PT${start}S" duration="PT${duration_s.toFixed(3)}S">${period[1] ?? ''}</Period>`;
  });
  return manifest
    .replace(period[0], periods.join('\n'))
    .replace(
      /mediaPresentationDuration="[^"]+"/,
      `mediaPresentationDuration="PT${(times * duration_s).toFixed(3)}S"`,
    );
}

/** `1H2M3.5S` in seconds. */
function parseDuration(text: string | undefined): number | undefined {
  const match = /^(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(text ?? '');
  if (!match) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  return (hours * 60 + minutes) * 60 + seconds;
}

const repeated = (list: readonly number[], times: number): number[] =>
  Array.from({ length: times }, () => list).flat();

export const loopSidecar = (sidecar: Sidecar, times: number): Sidecar => ({
  ...sidecar,
  segment_duration_s: repeated(sidecar.segment_duration_s, times),
  representations: Object.fromEntries(
    Object.entries(sidecar.representations).map(([id, representation]) => [
      id,
      {
        ...representation,
        segment_bytes: repeated(representation.segment_bytes, times),
        ...(representation.segment_ssim_db && {
          segment_ssim_db: repeated(representation.segment_ssim_db, times),
        }),
      },
    ]),
  ),
});

/** `film`, the origin of a ladder in `directory`, with its manifest and sidecar looped. */
export async function loopedFilm(film: Origin, directory: string, times: number): Promise<Origin> {
  const read = (name: string) => readFile(join(directory, name), 'utf8');
  const manifest = loopManifest(await read('manifest.mpd'), times);
  const sidecar = JSON.stringify(loopSidecar(JSON.parse(await read('quality.json')) as Sidecar, times));
  const texts: Partial<Record<string, [string, string]>> = {
    '/manifest.mpd': [manifest, 'application/dash+xml'],
    '/quality.json': [sidecar, 'application/json'],
  };
  return (request) => {
    const [text, type] = texts[new URL(request.url).pathname] ?? [];
    if (text === undefined || type === undefined) return film(request);
    return Promise.resolve(
      new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' } }),
    );
  };
}
