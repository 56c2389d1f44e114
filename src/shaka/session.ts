import type { MediaType } from '../film/media-type.ts';
import type { PlayerAttachment } from '../host/attachment.ts';
import { MEDIA_TYPES } from '../host/media-types.ts';
import { getOrigin } from '../host/origin.ts';
import {
  PageSession,
  type DownloadActions,
  type PageContext,
  type RequestCmcd,
} from '../host/page-session.ts';
import { awaitsViewer, SHORT_GAP_S } from '../host/playable.ts';
import { makeSituation } from '../host/situation.ts';
import type { SammyOptions } from '../options.ts';
import type { Situation } from '../session/state.ts';
import { kbps, seconds } from '../units.ts';
import type {
  RetryParameters,
  SegmentReference,
  ShakaPlayer,
  ShakaRequest,
  Stream,
  Variant,
} from './player.ts';
import { findAlternatives, findVariant, IndexSizes, makeStreamLadder } from './streams.ts';

/** One attempt of a request for a segment, a part of a segment, an initialization segment or an index. */
export interface MediaRequest {
  readonly mediaType: MediaType;
  url: string;
  readonly stream: Stream;
  readonly segment: SegmentReference | null | undefined;
  /** Whether Shaka has no attempt left for this request. */
  readonly isLastAttempt: boolean;
  readonly retryParameters: RetryParameters;
  /** Bytes that have arrived, and the expected total; 0 while unknown. */
  loaded: number;
  total: number;
  /** When the headers arrived, ms of the page's clock; NaN until then. */
  first: number;
}

/** The variants that may be chosen. */
export interface Choice {
  readonly variants: readonly Variant[];
  readonly isLowLatency: boolean;
}

/** The lowest buffer level up to which Shaka downloads, s, whatever the configuration. */
const SHORTEST_GOAL_S = 1;

/** A playback session of Shaka Player. */
export class Session extends PageSession {
  choice: Choice = { variants: [], isLowLatency: false };
  readonly #player: ShakaPlayer;
  readonly #indexSizes = { video: new IndexSizes(), audio: new IndexSizes() };
  #chosen: Variant | undefined;
  /** The streams of the latest requests. */
  readonly #streams: Partial<Record<MediaType, Stream>> = {};

  constructor(options: SammyOptions, context: PageContext, player: ShakaPlayer) {
    super(options, context);
    this.#player = player;
  }

  /**
   * Returns the variant for the next segments of `mediaType`, or of both types if it is undefined. Returns undefined to
   * leave the choice to Shaka. `own` is Shaka's choice.
   */
  chooseVariant(own: Variant, mediaType?: MediaType): Variant | undefined {
    if (!this.core.choosesRungs) return undefined;
    const present = this.#findPresent();
    let chosen = present ?? own;
    for (const type of present && mediaType ? [mediaType] : MEDIA_TYPES) {
      const alternatives = findAlternatives(this.choice.variants, chosen, type);
      const ladder = makeStreamLadder(alternatives, type);
      if (!ladder) continue;
      const { rung } = this.core.chooseRung({ ladder, ...this.#readSituation(type) });
      chosen = findVariant(alternatives, type, rung) ?? chosen;
    }
    return (this.#chosen = chosen);
  }

  /** Returns the active variant, which Sammy, Shaka or the application may have chosen. */
  #findPresent(): Variant | undefined {
    const played = this.choice.variants.filter((each) =>
      MEDIA_TYPES.every((type) => !this.#streams[type] || each[type] === this.#streams[type]),
    );
    return played.find((each) => each === this.#chosen) ?? (this.#streams.video && played[0]);
  }

  /**
   * Returns the variants whose rungs can be chosen for a request: only the active variant if the application has fixed
   * the quality.
   */
  #findChoosable({ mediaType, stream }: MediaRequest): readonly Variant[] {
    const { variants } = this.choice;
    const present = variants.filter((each) => each[mediaType] === stream);
    if (!this.#isAdaptive || !present[0]) return present.slice(0, 1);
    return findAlternatives(variants, this.#findPresent() ?? present[0], mediaType);
  }

  get #isAdaptive(): boolean {
    return this.#player.getConfiguration().abr.enabled;
  }

  /** Returns the variant with which to restart the download in flight, or undefined to let the download continue. */
  chooseReplacement(request: MediaRequest): Variant | undefined {
    const { mediaType, segment, first } = request;
    if (!segment || !this.#isAdaptive) return undefined;
    const variants = this.#findChoosable(request);
    const rung = this.chooseAbandonment(
      request,
      { ...request, elapsed: (performance.now() - first) / 1000 },
      () => this.#readSituation(mediaType, segment.getStartTime()),
      () => makeStreamLadder(variants, mediaType),
    );
    const variant = rung && findVariant(variants, mediaType, rung);
    const stream = variant?.[mediaType];
    if (!stream) return undefined;
    // Record the replacement now: Shaka may have to load a segment index before it requests the replacement, and a
    // choice for the other media type in the meantime must not undo this choice.
    this.#streams[mediaType] = stream;
    return (this.#chosen = variant);
  }

  /**
   * Returns the CMCD of a preload request. Preloading competes with the current source, so the request gets the pace of
   * the current source's video, if the origin is known to answer requests with `rtp`. A repeated request has no pace,
   * because Shaka does not report the ends of preload requests.
   */
  addPreload(url: string, { bandwidth = 0 }: Stream, isRepeated: boolean): RequestCmcd {
    const { core, decisions } = this;
    const isAccepted = core.getConsent(getOrigin(url)).reasonAgainstRtp('video', false) === undefined;
    const pace = decisions.findLast(({ media_type }) => media_type === 'video')?.requested_kbps;
    const isPaced = pace && isAccepted && !isRepeated && core.phase === 'playing';
    return this.makeCmcd(isPaced ? kbps(Math.max(pace, bandwidth / 1000)) : null, null);
  }

  /** Called before an attempt is sent. */
  requesting(request: MediaRequest, actions: DownloadActions): RequestCmcd {
    const { mediaType, stream, segment, url, retryParameters } = request;
    this.#streams[mediaType] = stream;
    this.#indexSizes[mediaType].learn(stream);
    if (!segment) return this.addRequest(request);
    const situation = this.#readSituation(mediaType, segment.getStartTime());
    const { buffer, playbackRate } = situation;
    const duration = seconds(segment.getEndTime() - segment.getStartTime());
    const variants = this.#findChoosable(request);
    const present = variants.filter((each) => each[mediaType] === stream);
    // Shaka waits before it repeats a request. The buffer also has to last for this delay.
    const delay_s = (retryParameters.baseDelay * (1 + retryParameters.fuzzFactor)) / 1000;
    const lasting = seconds(buffer / playbackRate - delay_s);
    const cmcd = this.addSegment(request, {
      ...{ ...actions, duration, ladder: makeStreamLadder(variants, mediaType) },
      rung: makeStreamLadder(present, mediaType)?.[0],
      awaitsViewer: awaitsViewer(this.media),
      lowLatency: this.choice.isLowLatency || segment.isPartial(),
      // Shaka often requests audio before video, but the first request with `rtp` to an origin must be for video.
      isFinal:
        request.isLastAttempt ||
        lasting < duration / 2 ||
        (mediaType === 'audio' && present.some(({ video }) => video)),
      requestTimeout: seconds(retryParameters.timeout > 0 ? retryParameters.timeout / 1000 : Infinity),
      ...situation,
    });
    // A timeout of the last attempt ends playback.
    if (cmcd.pace !== null && !request.isLastAttempt) {
      const consent = this.core.getConsent(getOrigin(url));
      const waits = (hasBegun: boolean) => consent.firstByteTimeout(lasting, hasBegun);
      retryParameters.connectionTimeout = shorter(retryParameters.connectionTimeout, waits(false));
      retryParameters.stallTimeout = shorter(retryParameters.stallTimeout, waits(true));
    }
    return cmcd;
  }

  #readSituation(mediaType: MediaType, start?: number): Situation {
    const player = this.#player;
    const { media } = this;
    const playhead = media?.currentTime ?? 0;
    const { [mediaType]: ranges } = player.getBufferedInfo();
    const reached = ranges.findLast(({ start }) => start <= playhead + SHORT_GAP_S);
    const { bufferingGoal, rebufferingGoal } = player.getConfiguration().streaming;
    const goal = Math.max(bufferingGoal, rebufferingGoal, SHORTEST_GOAL_S);
    // The buffer of a live stream is at most the latency.
    const latency = player.isLive() ? player.getStats().liveLatency : 0;
    return makeSituation({
      ...{ mediaType, media, start, sizes: this.#indexSizes[mediaType].sizes },
      playbackRate: player.getPlaybackRate(),
      buffer: Math.max(0, (reached?.end ?? 0) - playhead),
      maxBuffer: latency > 0 ? Math.min(goal, latency) : goal,
    });
  }
}

/** The shorter of two timeouts. Shaka's 0 means no timeout. */
const shorter = (given_ms: number, wanted_ms: number): number =>
  given_ms > 0 ? Math.min(given_ms, wanted_ms) : wanted_ms;

/** Sammy on a Shaka player. */
export type ShakaAttachment = PlayerAttachment<Session>;

/** An attempt of a request that has been sent. */
interface Attempt {
  readonly media: MediaRequest;
  readonly session: Session;
  /** Restores the URL, the headers and the timeouts, which the next attempt would inherit. */
  readonly restore: () => void;
}
export type InFlight = Map<ShakaRequest, Attempt>;
