import { seconds, type Seconds } from '../units.ts';

/** Seconds buffered ahead of the playhead for all media types. It is correct even during a seek. */
export function readPlayable(media: HTMLMediaElement | null): Seconds {
  if (!media) return seconds(0);
  const { buffered, currentTime } = media;
  let ahead = 0;
  for (let index = 0; index < buffered.length; index++) {
    if (buffered.start(index) <= currentTime) ahead = Math.max(0, buffered.end(index) - currentTime);
  }
  return seconds(ahead);
}
