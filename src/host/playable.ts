import { seconds, type Seconds } from '../units.ts';

/** Players jump over a gap in the buffer that is this short, s, such as one before the first frame: Shaka's default. */
export const SHORT_GAP_S = 0.5;

/** Seconds buffered ahead of the playhead for all media types. It is correct even during a seek. */
export function readPlayable(media: HTMLMediaElement | null): Seconds {
  if (!media) return seconds(0);
  const { buffered, currentTime } = media;
  let ahead = 0;
  for (let index = 0; index < buffered.length; index++) {
    if (buffered.start(index) <= currentTime + SHORT_GAP_S)
      ahead = Math.max(0, buffered.end(index) - currentTime);
  }
  return seconds(ahead);
}
