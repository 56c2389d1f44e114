import type { Rung } from '../film/ladder.ts';
import type { MediaType } from '../film/media-type.ts';
import type { PlayerAttachment } from '../host/attachment.ts';
import { getOrigin } from '../host/origin.ts';
import { awaitsViewer } from '../host/media-element.ts';
import {
  PageSession,
  type DownloadActions,
  type PageContext,
  type RequestCmcd,
} from '../host/page-session.ts';
import type { SammyOptions } from '../options.ts';
import { bytes, kbps, seconds } from '../units.ts';
import type {
  RetryParameters,
  SegmentReference,
  ShakaPlayer,
  ShakaRequest,
  Stream,
  Variant,
} from './player.ts';
import { readSituation } from './state.ts';
import { findAlternatives, findRungId, IndexSizes, makeStreamLadder } from './streams.ts';

/** One attempt of a request for a segment, for a part of one, for an initialization segment or for an index. */
export interface MediaRequest {
  readonly mediaType: MediaType;
  url: string;
  readonly stream: Stream;
  readonly segment: SegmentReference | undefined;
  /** Whether Shaka has no attempt left for this request. */
  readonly isLast: boolean;
  readonly retryParameters: RetryParameters;
  /** Bytes that have arrived, and are expected; 0 while they are not known. */
  loaded: number;
  total: number;
  /** When the headers arrived, ms of the page; NaN before, when the download cannot be judged. */
  first: number;
}

/** The variants that may be chosen. */
export interface Choice {
  readonly variants: readonly Variant[];
  readonly isLowLatency: boolean;
}

const MEDIA_TYPES = ['video', 'audio'] as const;

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
   * Returns the variant for the next segments of `mediaType`, or of both types; undefined to leave the choice to Shaka, whose
   * choice is `own`.
   */
  chooseVariant(own: Variant, mediaType?: MediaType): Variant | undefined {
    if (!this.core.choosesRungs) return undefined;
    const { variants } = this.choice;
    const present = this.#findPresent();
    let chosen = present ?? own;
    for (const type of present && mediaType ? [mediaType] : MEDIA_TYPES) {
      const alternatives = findAlternatives(variants, chosen, type);
      const ladder = makeStreamLadder(alternatives, type);
      if (!ladder) continue;
      const { rung } = this.core.chooseRung({
        ladder,
        ...readSituation(this.#player, type, this.#indexSizes[type].sizes),
      });
      chosen = findVariant(alternatives, type, rung) ?? chosen;
    }
    return (this.#chosen = chosen);
  }

  /** The active variant, which Sammy, Shaka or the application may have chosen. */
  #findPresent(): Variant | undefined {
    const played = this.choice.variants.filter((each) =>
      MEDIA_TYPES.every((type) => !this.#streams[type] || each[type] === this.#streams[type]),
    );
    return played.find((each) => each === this.#chosen) ?? (this.#streams.video && played[0]);
  }

  /** The variants whose rungs can be chosen for a request: only the present one if the application has fixed the quality. */
  #findChoosable({ mediaType, stream }: MediaRequest): readonly Variant[] {
    const { variants } = this.choice;
    const present = variants.filter((each) => each[mediaType] === stream);
    if (!this.#isAdaptive || !present[0]) return present.slice(0, 1);
    return findAlternatives(variants, this.#findPresent() ?? present[0], mediaType);
  }

  get #isAdaptive(): boolean {
    return this.#player.getConfiguration().abr.enabled;
  }

  /** Returns the variant with which to download the segment in flight again, or undefined to let it continue. */
  chooseReplacement(request: MediaRequest): Variant | undefined {
    const { mediaType, segment, loaded, total, first } = request;
    if (!segment || !this.#isAdaptive) return undefined;
    const variants = this.#findChoosable(request);
    const rung = this.chooseAbandonment(
      request,
      {
        loaded: bytes(loaded),
        total: bytes(total),
        elapsed: seconds((performance.now() - first) / 1000),
      },
      () => this.#readSituation(request),
      () => makeStreamLadder(variants, mediaType),
    );
    const variant = rung && findVariant(variants, mediaType, rung);
    const stream = variant?.[mediaType];
    if (!stream) return undefined;
    // The request for it may come late, after Shaka has loaded its segment index. A choice for the other type must not undo the replacement.
    this.#streams[mediaType] = stream;
    return (this.#chosen = variant);
  }

  #readSituation({ mediaType, segment }: MediaRequest) {
    return readSituation(this.#player, mediaType, this.#indexSizes[mediaType].sizes, segment?.getStartTime());
  }

  /**
   * Returns the CMCD of a request for a source that does not play yet. It competes with the current source, so it gets the pace of that
   * one's video, if the origin has answered such requests. A repeated request has no pace. Shaka does not report the end of either.
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
    // An initialization segment is 1 or 2 kB. Without an answer, nothing would give it up.
    if (!segment) return this.addRequest(request);
    const situation = this.#readSituation(request);
    const { buffer } = situation;
    const duration = seconds(segment.getEndTime() - segment.getStartTime());
    const variants = this.#findChoosable(request);
    const present = variants.filter((each) => each[mediaType] === stream);
    // Shaka waits before it repeats a request. The buffer has to last for that, too.
    const delay_s = (retryParameters.baseDelay * (1 + retryParameters.fuzzFactor)) / 1000;
    const cmcd = this.addSegment(request, {
      ...{ ...actions, duration, ladder: makeStreamLadder(variants, mediaType) },
      rung: makeStreamLadder(present, mediaType)?.[0],
      awaitsViewer: awaitsViewer(this.media),
      lowLatency: this.choice.isLowLatency || segment.isPartial(),
      // Shaka often requests audio before video, but video segments must be the first to ask.
      isFinal:
        request.isLast ||
        buffer < delay_s + duration / 2 ||
        (mediaType === 'audio' && present.some(({ video }) => video)),
      requestTimeout: seconds(retryParameters.timeout > 0 ? retryParameters.timeout / 1000 : Infinity),
      ...situation,
    });
    if (cmcd.pace !== null) {
      const consent = this.core.getConsent(getOrigin(url));
      const waits = (hasBegun: boolean) => consent.firstByteTimeout(seconds(buffer - delay_s), hasBegun);
      retryParameters.connectionTimeout = shorter(retryParameters.connectionTimeout, waits(false));
      retryParameters.stallTimeout = shorter(retryParameters.stallTimeout, waits(true));
    }
    return cmcd;
  }
}

const shorter = (given_ms: number, wanted_ms: number): number =>
  given_ms > 0 ? Math.min(given_ms, wanted_ms) : wanted_ms;

const findVariant = (variants: readonly Variant[], mediaType: MediaType, { id }: Rung): Variant | undefined =>
  variants.find((each) => each[mediaType] && findRungId(each[mediaType]) === id);

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
