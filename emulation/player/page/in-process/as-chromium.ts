import { INITIALIZATION_MS, MANIFEST_MS } from '../../model/player/player.ts';
import { PROCESSING_MS, SWITCH_MS } from '../../model/player/scheduler.ts';
import type { Film } from '../../model/player/film.ts';
import type { BusyWith } from '../thread.ts';

/**
 * Returns how long Chromium is busy with a response in dash.js, ms. The values are the model's constants, which were
 * measured in Chromium.
 */
export function asChromium({ ladders }: Pick<Film, 'ladders'>): BusyWith {
  const tracks = ladders.audio ? 2 : 1;
  let first = tracks;
  return (url) => {
    if (url.endsWith('.mpd')) return MANIFEST_MS;
    if (!url.includes('init.mp4')) return PROCESSING_MS;
    // INITIALIZATION_MS is the total time for all tracks.
    return first-- > 0 ? INITIALIZATION_MS / tracks : SWITCH_MS;
  };
}
