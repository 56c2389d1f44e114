import { makeLadder, type Ladder, type Rung } from '../film/ladder.ts';
import type { MediaType } from '../film/media-type.ts';
import type { PlayerAttachment } from '../host/attachment.ts';
import { getOrigin } from '../host/origin.ts';
import {
  GIVEN_UP,
  PageSession,
  type PageContext,
  type RequestCmcd,
  type RequestEnd,
} from '../host/page-session.ts';
import type { SammyOptions } from '../options.ts';
import type { RungChoice } from '../session/sammy.ts';
import { seconds } from '../units.ts';
import { IndexSizes, type IndexedSegment } from './index-sizes.ts';
import {
  MEDIA_SEGMENT,
  type DashPlayer,
  type FragmentRequest,
  type Loader,
  type MediaRequest,
} from './player.ts';
import { readSetting, writeSetting } from './settings.ts';
import { readRequestState, readSituation } from './state.ts';

/** A requested representation, whether or not it is in the ladder. */
export interface Representation {
  readonly id: string;
  /** Bitrate in bit/s; NaN if unknown. */
  readonly bandwidth: number;
  readonly segments?: readonly IndexedSegment[] | null | undefined;
}

/** The dash.js setting for the number of retries of a failed segment request. */
const RETRIES_SETTING = 'streaming.retryAttempts.MediaSegment';

/** A playback session of dash.js. */
export class Session extends PageSession {
  readonly #player: DashPlayer;
  readonly #indexSizes = { video: new IndexSizes(), audio: new IndexSizes() };
  /** The loaders seen so far: one per period and media type. */
  readonly #loaders = new Set<Loader>();
  /**
   * Times at which dash.js started requests, which may be earlier than sending, because of the application's
   * interceptors.
   */
  readonly #requestedAt = new WeakMap<FragmentRequest, number>();

  constructor(options: SammyOptions, context: PageContext, player: DashPlayer) {
    super(options, context);
    this.#player = player;
  }

  /** Returns the rung for the next segment, or undefined to leave the choice to dash.js. */
  chooseRung(mediaType: MediaType, ladder: Ladder): RungChoice | undefined {
    if (!this.core.choosesRungs) return undefined;
    const situation = readSituation(this.#player, this.media, mediaType, this.#indexSizes[mediaType].sizes);
    return this.core.chooseRung({ ladder, ...situation });
  }

  /** Returns the lower rung at which to restart the download in flight, or undefined to let the download continue. */
  chooseReplacementRung(request: MediaRequest, getLadder: () => Ladder | undefined): Rung | undefined {
    const { mediaType, bytesLoaded, bytesTotal, firstByteDate } = request;
    const { sizes } = this.#indexSizes[mediaType];
    const elapsed = (Date.now() - Number(firstByteDate ?? NaN)) / 1000;
    return this.chooseAbandonment(
      request,
      { loaded: bytesLoaded, total: bytesTotal, elapsed },
      () => readSituation(this.#player, this.media, mediaType, sizes, request),
      getLadder,
    );
  }

  /**
   * Called before a request, when dash.js is about to read its number of retries. If the server may refuse a segment's
   * request because of `rtp`, a retry without `rtp` is needed, even if the application allows no retries.
   */
  requesting(request: FragmentRequest): void {
    const player = this.#player;
    this.#requestedAt.set(request, performance.now());
    const { retries } = this.core.getConsent(getOrigin(request.url));
    if (readSetting(player, RETRIES_SETTING) !== 0 || !retries) return;
    writeSetting(player, RETRIES_SETTING, retries);
    queueMicrotask(() => {
      writeSetting(player, RETRIES_SETTING, 0);
    });
  }

  /** Called when `loader` has loaded a request. Stores the loader, to find it for a later request. */
  loaded(loader: Loader | undefined): void {
    if (loader) this.#loaders.add(loader);
  }

  /** Returns the loader of a request in flight. */
  #findLoader(request: FragmentRequest): Loader | undefined {
    return [...this.#loaders].find((each) => each.getRequests({ state: 'loading' }).includes(request));
  }

  /** Called when a request is made. */
  requested(request: MediaRequest, ladder: Ladder | undefined, representation: Representation): RequestCmcd {
    this.begun = true;
    // Audio and video may share representation ids.
    const indexSizes = this.#indexSizes[request.mediaType];
    indexSizes.learn(representation.id, representation.segments);
    if (request.type !== MEDIA_SEGMENT) return this.addRequest(request);
    const requestedAt = this.#requestedAt.get(request);
    this.#requestedAt.delete(request);
    return this.addSegment(request, {
      ...{ ladder, requestedAt, duration: seconds(request.duration), isFinal: !this.#findLoader(request) },
      // dash.js may start with a representation that is not in the ladder, because a better one has a lower bitrate.
      rung: ladder?.find(({ id }) => id === representation.id) ?? makeLadder([representation])?.[0],
      // With autoplay, dash.js starts playback before it requests a segment. If the media element is still paused, it
      // waits for the viewer or the page: autoplay is off or blocked, or an advertisement comes first. There may also
      // be no element yet.
      awaitsViewer: this.media?.paused ?? true,
      // Without a Content-Length, dash.js 4.7 counts no bytes.
      receivedBytes: () => (request.firstByteDate ? request.bytesLoaded || NaN : 0),
      giveUp: () => this.responded(request, { ...GIVEN_UP, size_bytes: 0 }),
      ...readRequestState(this.#player, this.media, indexSizes.sizes, request),
    });
  }

  /**
   * Called when a response has ended, successfully or not. Returns whether the response has no media, so that dash.js must not
   * append the response.
   */
  responded(request: FragmentRequest, end: RequestEnd): boolean {
    const { isVoid, repeats } = this.requestEnded(request, end);
    // Makes dash.js request the segment again at once. Deferred, because dash.js schedules its own retry after this
    // call.
    if (repeats) setTimeout(() => this.#findLoader(request)?.abortRequests());
    return isVoid;
  }
}

/** Sammy on a dash.js player. */
export type DashAttachment = PlayerAttachment<Session>;
