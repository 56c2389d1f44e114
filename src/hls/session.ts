import type { Ladder, Rung } from '../film/ladder.ts';
import type { PlayerAttachment } from '../host/attachment.ts';
import { awaitsViewer } from '../host/media-element.ts';
import {
  PageSession,
  type DownloadActions,
  type PageContext,
  type RequestCmcd,
} from '../host/page-session.ts';
import { DEFAULTS, type SammyOptions } from '../options.ts';
import { bytes, seconds } from '../units.ts';
import {
  choosableLevels,
  findLevelMediaType,
  makeLevelLadder,
  makeRenditionLadder,
  playlistSizes,
} from './levels.ts';
import type { HlsPlayer, LoaderStats, MediaRequest } from './player.ts';
import { readRequestState, readSituation } from './state.ts';

/** A playback session of hls.js. */
export class Session extends PageSession {
  /** The level of the segment that was loaded last; -1 before the first. */
  lastLevel = -1;
  readonly #hls: HlsPlayer;
  readonly #sizes;

  constructor(options: SammyOptions, context: PageContext, hls: HlsPlayer) {
    super(options, context);
    this.#hls = hls;
    this.#sizes = playlistSizes(hls);
  }

  /**
   * Returns the level for the next segment, or undefined to leave the choice to hls.js. `base` is the level whose
   * codecs and dynamic range must be kept (see `choosableLevels`).
   */
  chooseLevel(base: number): number | undefined {
    const hls = this.#hls;
    if (!this.core.choosesRungs || this.#knowsNothing) return undefined;
    const indexes = choosableLevels(hls, base);
    const ladder = makeLevelLadder(hls, indexes);
    if (!ladder) return undefined;
    const mediaType = findLevelMediaType(hls);
    const { rung } = this.core.chooseRung({ ladder, ...readSituation(hls, mediaType, this.#sizes) });
    return this.#findLevel(indexes, rung);
  }

  /**
   * Returns the level at which to start instead of testing the bandwidth, or undefined to let hls.js test it. If nothing
   * is known about the network, this is the lowest level, so that playback starts no later than after a test.
   */
  chooseStartLevel(base: number): number | undefined {
    if (!this.core.choosesRungs) return undefined;
    return this.chooseLevel(base) ?? choosableLevels(this.#hls, base)[0];
  }

  /**
   * Whether hls.js should choose the level, because nothing is known about the network: no segment has been loaded, the
   * history is empty or old, and the application has not set a throughput. hls.js chooses by its own estimate, which may
   * come from the manifest or from segments before the attachment.
   */
  get #knowsNothing(): boolean {
    const { core } = this;
    return (
      !core.knowsNetwork(findLevelMediaType(this.#hls)) &&
      core.options.default_throughput_kbps === DEFAULTS.default_throughput_kbps
    );
  }

  #findLevel(indexes: readonly number[], rung: Rung): number | undefined {
    return indexes.find((index) => makeLevelLadder(this.#hls, [index])?.[0].id === rung.id);
  }

  /** Returns the lower level at which to restart the download in flight, or undefined to let the download continue. */
  chooseReplacementLevel(
    request: MediaRequest,
    { loaded, total, loading: { first } }: LoaderStats,
  ): number | undefined {
    const hls = this.#hls;
    const { mediaType, frag, part } = request;
    if (!hls.autoLevelEnabled || frag.type !== 'main') return undefined;
    const indexes = () => choosableLevels(hls, frag.level);
    const rung = this.chooseAbandonment(
      request,
      {
        loaded: bytes(loaded),
        total: bytes(total),
        // NaN before the first byte, so that the download is not abandoned.
        elapsed: seconds((performance.now() - (first || NaN)) / 1000),
      },
      () => readSituation(hls, mediaType, this.#sizes, part ?? frag),
      () => makeLevelLadder(hls, indexes()),
    );
    return rung && this.#findLevel(indexes(), rung);
  }

  /** The rungs that can be chosen for a request: only the requested rung if the application has fixed the level. */
  #findLadder(request: MediaRequest): Ladder | undefined {
    const hls = this.#hls;
    const { type, level } = request.frag;
    if (type === 'audio') return makeRenditionLadder(hls, request);
    return makeLevelLadder(hls, hls.autoLevelEnabled ? choosableLevels(hls, level) : [level]);
  }

  /** Called before a request for a segment, a part of a segment, or an initialization segment. */
  requesting(request: MediaRequest, actions: DownloadActions): RequestCmcd {
    const { frag, part } = request;
    const hls = this.#hls;
    // Initialization segments are small, and a request with `rtp` that is never answered would not be canceled, so they
    // have no pace.
    if (frag.sn === 'initSegment') return this.addRequest(request);
    return this.addSegment(request, {
      ...{ ...actions, ladder: this.#findLadder(request), duration: seconds((part ?? frag).duration) },
      // hls.js may start at a level that is not in the ladder, because a better one has a lower bitrate.
      rung: frag.type === 'main' ? makeLevelLadder(hls, [frag.level])?.[0] : undefined,
      awaitsViewer: awaitsViewer(this.media),
      ...readRequestState(hls, this.#sizes, request),
    });
  }
}

/** Sammy on an hls.js player. */
export type HlsAttachment = PlayerAttachment<Session>;
