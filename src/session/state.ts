import type { AbrState } from '../abr/abr.ts';
import type { Ladder } from '../film/ladder.ts';
import type { Seconds } from '../units.ts';

/** Of what an algorithm may know, the part that the player tells. */
type FromPlayer =
  | 'mediaType'
  | 'buffer'
  | 'maxBuffer'
  | 'bufferTarget'
  | 'playbackRate'
  | 'nextSegmentAt'
  | 'sizes';

/** What a rung of one media type is chosen by. */
export interface ChoiceState extends Situation {
  readonly ladder: Ladder;
}

/** The same without what can be chosen. */
export interface Situation extends Pick<AbrState, FromPlayer> {
  /** Presentation time that plays, where the player tells it. */
  readonly playhead?: Seconds | undefined;
  /** Scheme, host and port that the request goes to, where the player tells it and knows it yet. */
  readonly origin?: string | undefined;
}

/** One media type's situation before a request, as the player tells it. */
export interface MediaState extends ChoiceState {
  /** What can be played without a stall: content that is buffered of all media types. A page is slow to tell. */
  readonly playable: () => Seconds;
  /** A live stream whose segments are sent while they are made. */
  readonly lowLatency: boolean;
  /** Whether the request cannot be given up: whether its origin answers is not tried with it. */
  readonly isFinal?: boolean;
  /** After so long the player gives a request up; undefined or infinite where it never does. */
  readonly requestTimeout?: Seconds | undefined;
}
