import type { PlaybackEvent } from '../records/play.ts';
import type { Seen } from './patience.ts';

/** Sums up a viewer's stalls. Waits for the start, and those that a seek causes, are none of the network's. */
export function seenOf(playback: readonly PlaybackEvent[]): Seen {
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
