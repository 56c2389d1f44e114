import { Timeline } from '../../../emulation/player/model/player/timeline.ts';
import type { SimulatedResult } from '../../../emulation/player/model/simulated-session.ts';
import type { Film } from '../play.ts';
import type { Watched } from './experience.ts';

/** A period of playback in seconds, and the content's position at its start. */
interface Stretch {
  readonly from_s: number;
  readonly to_s: number;
  readonly content_s: number;
}

/** Tolerance for rounding errors: a stall begins exactly at the start of a segment. */
const ROUNDING_S = 1e-6;

/** Returns the part that a viewer saw of a simulated session of `seconds`, without seeks and at normal speed. */
export function findWatched({ playback, decisions }: SimulatedResult, film: Film, seconds: number): Watched {
  const timeline = new Timeline(film);
  const stretches = listStretches(playback, seconds);
  const rungs: number[] = [];
  for (let segment = 0; segment < timeline.count; segment++) {
    const start_s = timeline.getStart_s(segment);
    const stretch = stretches.findLast(({ content_s }) => content_s <= start_s + ROUNDING_S);
    const begins_s = stretch ? stretch.from_s + start_s - stretch.content_s : Infinity;
    if (!stretch || begins_s >= stretch.to_s - ROUNDING_S) break;
    const versions = decisions.filter(
      ({ media_type, outcome, segment_start_s }) =>
        media_type === 'video' && outcome === 'completed' && segment_start_s === start_s,
    );
    // A version that arrived later would have replaced a segment that was already playing.
    const shown = versions.findLast(({ at_ms, download_ms }) => at_ms + download_ms <= 1000 * begins_s);
    const id = (shown ?? versions[0])?.representation;
    rungs.push(film.ladders.video.findIndex((rung) => rung.id === id));
  }
  const played_s = stretches.reduce((sum, { from_s, to_s }) => sum + to_s - from_s, 0);
  return { rungs, stalled_s: seconds - (stretches[0]?.from_s ?? seconds) - played_s };
}

function listStretches(playback: SimulatedResult['playback'], seconds: number): Stretch[] {
  const stretches: Stretch[] = [];
  let content_s = 0;
  for (const [index, { t_s, event }] of playback.entries()) {
    if (event !== 'playing') continue;
    const to_s = playback[index + 1]?.t_s ?? seconds;
    stretches.push({ from_s: t_s, to_s, content_s });
    content_s += to_s - t_s;
  }
  return stretches;
}
