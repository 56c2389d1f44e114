import type { Situation } from '../session/state.ts';
import { seconds } from '../units.ts';

/** The part of the state for choosing a rung that players report in the same way. */
interface ReportedState extends Pick<Situation, 'mediaType' | 'sizes'> {
  readonly media: HTMLMediaElement | null;
  /** Seconds buffered for the media type. */
  readonly buffer: number;
  /** The buffer level, s, up to which the player downloads at any rung. */
  readonly maxBuffer: number;
  readonly playbackRate: number | undefined;
  /** The start of the segment, s; undefined for the segment after the buffer. */
  readonly start: number | undefined;
}

/** Returns the state for choosing a rung. */
export function makeSituation({ media, start, ...state }: ReportedState): Situation {
  const playhead = media?.currentTime ?? 0;
  return {
    ...state,
    // The rate is 0 while some players wait for data, and negative in trick play.
    playbackRate: Math.abs(state.playbackRate ?? 1) || 1,
    nextSegmentAt: seconds(start ?? playhead + state.buffer),
    playhead: seconds(playhead),
    bufferTarget: state.maxBuffer,
  } as Situation;
}
