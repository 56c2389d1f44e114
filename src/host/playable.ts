import { seconds, type Seconds } from '../units.ts';

/** Players jump over a gap in the buffer that is this short, s, such as one before the first frame: Shaka's default. */
const SHORT_GAP_S = 0.5;

/** A buffered range, in seconds of the presentation. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Seconds buffered ahead of the playhead, in ranges that are sorted by time. */
export const bufferAhead = (ranges: readonly Range[], playhead: number): Seconds => {
  const reached = ranges.findLast(({ start }) => start <= playhead + SHORT_GAP_S);
  return seconds(Math.max(0, (reached?.end ?? 0) - playhead));
};

/** Seconds buffered ahead of the playhead for all media types. It is correct even during a seek. */
export function readPlayable(media: HTMLMediaElement | null): Seconds {
  if (!media) return seconds(0);
  const { buffered, currentTime } = media;
  const { length } = buffered;
  const ranges = Array.from({ length }, (_, index) => ({
    start: buffered.start(index),
    end: buffered.end(index),
  }));
  return bufferAhead(ranges, currentTime);
}
