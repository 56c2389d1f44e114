import { seconds, type Seconds } from '../units.ts';

/** The longest gap in the buffer, s, over which players jump, such as a gap before the first frame. Shaka's default. */
export const SHORT_GAP_S = 0.5;

/** Returns the seconds that are buffered ahead of the playhead for all media types. Correct even during a seek. */
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

/** Whether an element waits for the viewer or the page: it is paused and does not play by itself. */
export const awaitsViewer = (media: HTMLMediaElement | null): boolean =>
  !media || (media.paused && !media.autoplay);
