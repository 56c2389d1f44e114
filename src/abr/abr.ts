import type { CompletedDecision } from '../decision.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import type { MediaType } from '../film/media-type.ts';
import type { SegmentSizes } from '../film/segments.ts';
import type { Kbps, Milliseconds, Seconds } from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';

/** What an algorithm may know when it decides about the next segment of one media type. */
export interface AbrState {
  readonly mediaType: MediaType;
  /** What can be chosen: it changes with the viewport's size, the viewer's limits, and periods. */
  readonly ladder: Ladder;
  /** Content that is buffered, s. */
  readonly buffer: Seconds;
  /** The buffer that the player fills up to at the top rung. */
  readonly maxBuffer: Seconds;
  /** The buffer that the player fills up to at any rung. */
  readonly bufferTarget: Seconds;
  /** Content seconds played per second. */
  readonly playbackRate: number;
  /** Presentation time at which the next segment begins. */
  readonly nextSegmentAt: Seconds;
  /** How long segments play, as the last one did; undefined before the first. */
  readonly segmentDuration?: Seconds | undefined;
  /** Sizes and quality of the coming segments, where they are known; `lookahead` reads them. */
  readonly sizes?: SegmentSizes | undefined;
  /** The rung of the segment that was requested last; undefined before the first. */
  readonly previous?: Rung | undefined;
  /** Low-latency live: a segment plays while it arrives, a chunk at a time. */
  readonly lowLatency: boolean;
  /** What the network is thought to carry: from the downloads, before them from earlier sessions or the default. */
  readonly throughput: Kbps;
  /**
   * The latest ten downloads of this media type that tell of the network, oldest first: complete or given up, neither
   * failed nor from a cache.
   */
  readonly downloads: readonly CompletedDecision[];
  /** The latest TCP statistics, of either media type; undefined before the first. */
  readonly receipt?: Receipt | undefined;
}

export interface AbrChoice {
  /** One of the ladder. */
  readonly rung: Rung;
  /** Why, in the algorithm's own words: the decision's `abr_reason`. */
  readonly reason: string;
}

/** What happens between two choices. */
export type AbrEvent =
  /** A download has ended that tells of the network. */
  | { readonly type: 'download'; readonly download: CompletedDecision }
  /** A rebuffer has ended. */
  | { readonly type: 'stall'; readonly duration: Milliseconds }
  /** The viewer goes to another place; what was downloaded for the old one may be of no use. */
  | { readonly type: 'seek' };

/**
 * A pacing-aware ABR algorithm at work (Sammy §4.2): for one media type, from the session's start to its end. Beside
 * choosing, it tells what it needs in order to choose; that is the decision problem that gives pacing its room.
 */
export interface AbrSession {
  /** The rung for the next segment. The player may ask several times before it requests one. */
  choose(state: AbrState): AbrChoice;
  /**
   * The least throughput from which on `choose` picks `rung` or a higher one, everything else as it is (Sammy Eq. 1 for
   * HYB): 0 where it does so at any, and Infinity where it does so at none. A session that goes by the buffer answers for
   * the next question, after a segment of `rung` has arrived at that throughput, since it acts through what that leaves
   * in the buffer. Of the lowest rung, which is taken anyway, it may be what sustains it.
   */
  requiredThroughput(state: AbrState, rung: Rung): Kbps;
  /** Is told what has happened since, in order, before it is asked the next question. */
  observe?(event: AbrEvent): void;
}

/** Of Sammy's options, those for algorithms. An algorithm goes by those that it has. */
export interface AbrOptions {
  /** HYB's β: the share of the throughput estimate to rely on, in (0, 1]. */
  readonly beta: number;
  /** HYB's lookahead D_T, s. */
  readonly lookahead_s: number;
}

/** What the option `abr` takes. It has no state of its own: one algorithm may serve many sessions. */
export interface AbrAlgorithm {
  readonly name: string;
  /** Begins a session: of each media type, with each source, and when one of `options` has been changed. */
  session(options: AbrOptions): AbrSession;
}
