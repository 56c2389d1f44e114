import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content } from '../../../media/cached-ladder.ts';
import { loopSidecar, wholeSegments } from '../../../media/looped-film.ts';
import type { QualitySidecar } from '../../../media/sidecar.ts';
import { FILM_TIMES } from '../../sessions/servers.ts';
import { laddersOf } from '../player/ladders-of.ts';
import type { Film } from '../player/film.ts';

/** Beyond the session's end, what a player buffers. */
const BUFFERED_S = 120;

/** The lab's film, as often as the lab loops it, or as often as a longer session needs. */
export async function simulatedFilm(film: Pick<Content, 'directory'>, seconds: number): Promise<Film> {
  const document = await sidecarOf(film);
  const sidecar = loopSidecar(document, wholeSegments(document), timesFor(document, seconds));
  return { sidecar, ladders: laddersOf(document) };
}

export const sidecarOf = async ({ directory }: Pick<Content, 'directory'>): Promise<QualitySidecar> =>
  JSON.parse(await readFile(join(directory, 'quality.json'), 'utf8')) as QualitySidecar;

/** How often a film is looped for a session of `seconds`. */
export function timesFor(document: QualitySidecar, seconds: number): number {
  const durations_s = document.segment_duration_s.slice(0, wholeSegments(document));
  const loop_s = durations_s.reduce((sum, each) => sum + each, 0);
  return Math.max(FILM_TIMES, Math.ceil((seconds + BUFFERED_S) / loop_s));
}
