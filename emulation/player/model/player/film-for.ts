import { loopSidecar, wholeSegments } from '../../../../media/loop-sidecar.ts';
import type { QualitySidecar } from '../../../../media/sidecar.ts';
import { FILM_TIMES } from '../../records/session-settings.ts';
import type { Film } from './film.ts';
import { readLadders } from './read-ladders.ts';

/** The content that a player may buffer beyond the session's end. */
const BUFFERED_S = 120;

/**
 * The video from its segment of index `first` on, looped as often as in the lab, or more often for a longer session.
 */
export const filmFor = (document: QualitySidecar, seconds: number, first = 0): Film => ({
  sidecar: loopSidecar(document, wholeSegments(document), timesFor(document, seconds), first),
  ladders: readLadders(document),
});

/** The number of repetitions of a video in a session of `seconds`. */
export function timesFor(document: QualitySidecar, seconds: number): number {
  const durations_s = document.segment_duration_s.slice(0, wholeSegments(document));
  const loop_s = durations_s.reduce((sum, each) => sum + each, 0);
  return Math.max(FILM_TIMES, Math.ceil((seconds + BUFFERED_S) / loop_s));
}
