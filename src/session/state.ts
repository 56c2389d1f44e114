import type { AbrState } from '../abr/abr.ts';
import type { Ladder } from '../film/ladder.ts';
import type { Seconds } from '../units.ts';

/** The properties of an algorithm's state that the player provides. */
type FromPlayer =
  | 'mediaType'
  | 'buffer'
  | 'maxBuffer'
  | 'bufferTarget'
  | 'playbackRate'
  | 'nextSegmentAt'
  | 'sizes';

/** The player's state for choosing a rung of one media type. */
export interface ChoiceState extends Situation {
  readonly ladder: Ladder;
}

/** The player's state without the ladder. */
export interface Situation extends Pick<AbrState, FromPlayer> {
  /** Presentation time of the playhead, if known. */
  readonly playhead?: Seconds | undefined;
  /** Scheme, host and port of the request, if known. */
  readonly origin?: string | undefined;
}

/** The player's state before a request for one media type. */
export interface MediaState extends ChoiceState, RequestState {
  /**
   * Returns the seconds that can play without a stall: content that is buffered for all media types. It reads the media
   * element's ranges, which takes time in a page, so call it only if needed.
   */
  readonly playable: () => Seconds;
}

/** The part of the state before a request that only the player can provide. */
export interface RequestState extends Situation {
  /** Whether segments of the live stream are sent while they are encoded. */
  readonly lowLatency: boolean;
  /** Whether the request cannot be retried. Such a request is not used as the first request with `rtp` to an origin. */
  readonly isFinal?: boolean;
  /** Time after which the player cancels a request; undefined or infinite if it never does so. */
  readonly requestTimeout?: Seconds | undefined;
}
