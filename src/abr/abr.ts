import type { CompletedDecision } from '../decision.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import type { MediaType } from '../film/media-type.ts';
import type { SegmentSizes } from '../film/segments.ts';
import type { Kbps, Milliseconds, Seconds } from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';

/** The inputs of an ABR algorithm when it chooses the next segment of one media type. */
export interface AbrState {
  readonly mediaType: MediaType;
  /** The rungs that may be chosen. Changes with the viewport's size, the viewer's limits, and the period. */
  readonly ladder: Ladder;
  /** Buffer level, s of content. */
  readonly buffer: Seconds;
  /** The buffer level at which the player stops downloading at the top rung. */
  readonly maxBuffer: Seconds;
  /** The buffer level up to which the player downloads at every rung. */
  readonly bufferTarget: Seconds;
  readonly playbackRate: number;
  readonly nextSegmentAt: Seconds;
  /** Duration of the previous segment; undefined before the first. */
  readonly segmentDuration?: Seconds | undefined;
  /** Sizes and quality of the upcoming segments, if known. The input of `lookahead`. */
  readonly sizes?: SegmentSizes | undefined;
  /** The rung of the latest requested segment; undefined before the first. */
  readonly previous?: Rung | undefined;
  /** Low-latency live: a segment plays while it is still arriving, chunk by chunk. */
  readonly lowLatency: boolean;
  /**
   * The throughput estimate from this session's downloads. Before the first download, from earlier sessions or the
   * default.
   */
  readonly throughput: Kbps;
  /**
   * The latest ten downloads of this media type that are network samples, oldest first. They completed or were
   * abandoned; failed downloads and cache hits are excluded.
   */
  readonly downloads: readonly CompletedDecision[];
  /** The edge's latest receipt (pace and TCP statistics), for video or audio; undefined before the first. */
  readonly receipt?: Receipt | undefined;
}

export interface AbrChoice {
  /** A member of the ladder. */
  readonly rung: Rung;
  /** The algorithm's reason for this rung. Stored as the decision's `abr_reason`. */
  readonly reason: string;
}

/** An event between two choices. */
export type AbrEvent =
  /** A download that is a network sample has ended. */
  | { readonly type: 'download'; readonly download: CompletedDecision }
  /** A rebuffer has ended. */
  | { readonly type: 'stall'; readonly duration: Milliseconds }
  /** The viewer seeks, so segments downloaded for the old position may never play. */
  | { readonly type: 'seek' };

/**
 * One run of a pacing-aware ABR algorithm (Sammy §4.2), for one media type of one session. It chooses rungs, and
 * reports the throughput that each choice needs. The pace policy uses this throughput as a lower bound of the pace.
 */
export interface AbrSession {
  /** Chooses the rung for the next segment. The player may ask several times before a request. */
  choose(state: AbrState): AbrChoice;
  /**
   * The lowest throughput at which `choose` picks `rung` or a higher one in the same state (Sammy Eq. 1 for HYB): 0 if
   * any throughput suffices, Infinity if none suffices. A buffer-based session reacts to throughput only through the
   * buffer level. It returns the throughput at which the next segment, of `rung`, must arrive so that the following
   * choice is `rung` or higher. For the lowest rung, it may return the throughput that plays this rung without stalls.
   */
  requiredThroughput(state: AbrState, rung: Rung): Kbps;
  /** Receives events in order. Called before each choice. */
  observe?(event: AbrEvent): void;
}

/** The options that configure ABR algorithms. Each algorithm ignores the options it does not use. */
export interface AbrOptions {
  /** HYB's β: the share of the throughput estimate that it relies on, in (0, 1]. */
  readonly beta: number;
  readonly lookahead_s: number;
}

/** An ABR algorithm: a value of the option `abr`. It is stateless: one object may serve many sessions. */
export interface AbrAlgorithm {
  readonly name: string;
  /** Starts a session. Called for each media type of each source, and again when one of `options` changes. */
  session(options: AbrOptions): AbrSession;
}
