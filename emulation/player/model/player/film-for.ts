import { loopSidecar, wholeSegments } from '../../../../media/loop-sidecar.ts';
import type { QualitySidecar } from '../../../../media/sidecar.ts';
import { FILM_TIMES } from '../../records/session-settings.ts';
import type { Film } from './film.ts';
import { laddersOf } from './ladders-of.ts';

/** Beyond the session's end, what a player buffers. */
const BUFFERED_S = 120;

/** The film from its segment of index `first` on, as often as the lab loops it, or as often as a longer session needs. */
export const filmFor = (document: QualitySidecar, seconds: number, first = 0): Film => ({
  sidecar: loopSidecar(document, wholeSegments(document), timesFor(document, seconds), first),
  ladders: laddersOf(document),
});

/** How often a film is looped for a session of `seconds`. */
export function timesFor(document: QualitySidecar, seconds: number): number {
  const durations_s = document.segment_duration_s.slice(0, wholeSegments(document));
  const loop_s = durations_s.reduce((sum, each) => sum + each, 0);
  return Math.max(FILM_TIMES, Math.ceil((seconds + BUFFERED_S) / loop_s));
}
