import type { PlaybackEvent } from '../records/play.ts';
import type { ViewerExperience } from './patience.ts';

/**
 * Sums up a viewer's stalls, without the wait for the start and waits after a seek, which the network does not cause.
 */
export function summarizeStalls(playback: readonly PlaybackEvent[]): ViewerExperience {
  let [started, stalled_s, dry_s] = [false, 0, Infinity];
  for (const { event, t_s } of playback) {
    if (event === 'playing') {
      if (dry_s < Infinity) stalled_s += t_s - dry_s;
      started = true;
    }
    dry_s = started && event === 'waiting' ? t_s : Infinity;
  }
  return { started, stalled_s, dry_s };
}
