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
export async function simulatedFilm(
  { directory }: Pick<Content, 'directory'>,
  seconds: number,
): Promise<Film> {
  const document = JSON.parse(await readFile(join(directory, 'quality.json'), 'utf8')) as QualitySidecar;
  const whole = wholeSegments(document);
  const loop_s = document.segment_duration_s.slice(0, whole).reduce((sum, each) => sum + each, 0);
  const times = Math.max(FILM_TIMES, Math.ceil((seconds + BUFFERED_S) / loop_s));
  return { sidecar: loopSidecar(document, whole, times), ladders: laddersOf(document) };
}
