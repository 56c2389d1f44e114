import type { MediaType } from '../film/media-type.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import type { PlayerAttachment } from '../host/attachment.ts';
import {
  PageSession,
  type DownloadActions,
  type PageContext,
  type RequestCmcd,
} from '../host/page-session.ts';
import { awaitsViewer, readPlayable } from '../host/playable.ts';
import { makeSituation } from '../host/situation.ts';
import { DEFAULTS, type SammyOptions } from '../options.ts';
import type { Situation } from '../session/state.ts';
import { seconds } from '../units.ts';
import {
  bufferLengthAt,
  choosableLevels,
  findLevelMediaType,
  findRungId,
  isLowLatency,
  makeLevelLadder,
  makeRenditionLadder,
  playlistSizes,
} from './levels.ts';
import type { HlsPlayer, LoaderStats, MediaRequest } from './player.ts';

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

  /** Whether downloads of this session or a recent history tell anything about the network. */
  get knowsNetwork(): boolean {
    return this.core.knowsNetwork(findLevelMediaType(this.#hls));
  }

  /**
   * Returns the level for the next segment, or undefined to leave the choice to hls.js. `base` is the level whose
   * codecs and dynamic range must be kept (see `choosableLevels`).
   *
   * If neither the session nor the application knows anything about the network, hls.js chooses by its own estimate,
   * which may come from the manifest or from segments before the attachment.
   */
  chooseLevel(base: number): number | undefined {
    const { core } = this;
    const isThroughputSet = core.options.default_throughput_kbps !== DEFAULTS.default_throughput_kbps;
    if (!core.choosesRungs || !(this.knowsNetwork || isThroughputSet)) return undefined;
    const indexes = choosableLevels(this.#hls, base);
    const ladder = makeLevelLadder(this.#hls, indexes);
    if (!ladder) return undefined;
    const { rung } = core.chooseRung({ ladder, ...this.#readSituation(findLevelMediaType(this.#hls)) });
    return this.#findLevel(indexes, rung);
  }

  #findLevel(indexes: readonly number[], rung: Rung): number | undefined {
    return indexes.find((index) => findRungId(this.#hls, index) === rung.id);
  }

  /** Returns the lower level at which to restart the download in flight, or undefined to let the download continue. */
  chooseReplacementLevel(request: MediaRequest, { loaded, total, loading }: LoaderStats): number | undefined {
    const hls = this.#hls;
    const { mediaType, frag, part, level } = request;
    if (!hls.autoLevelEnabled || level === undefined) return undefined;
    const indexes = () => choosableLevels(hls, level);
    const rung = this.chooseAbandonment(
      request,
      // The time of the first byte is 0 before it has arrived.
      { loaded, total, elapsed: (performance.now() - (loading.first || NaN)) / 1000 },
      () => this.#readSituation(mediaType, part ?? frag),
      () => makeLevelLadder(hls, indexes()),
    );
    return rung && this.#findLevel(indexes(), rung);
  }

  /** The rungs that can be chosen for a request: only the requested rung if the application has fixed the level. */
  #findLadder(request: MediaRequest): Ladder | undefined {
    const hls = this.#hls;
    const { level } = request;
    if (level === undefined) return makeRenditionLadder(hls, request);
    return makeLevelLadder(hls, hls.autoLevelEnabled ? choosableLevels(hls, level) : [level]);
  }

  /** Called before a request for a segment, a part of a segment, or an initialization segment. */
  requesting(request: MediaRequest, actions: DownloadActions): RequestCmcd {
    const hls = this.#hls;
    const { mediaType, frag, part, level } = request;
    if (frag.sn === 'initSegment') return this.addRequest(request);
    return this.addSegment(request, {
      ...{ ...actions, ladder: this.#findLadder(request), duration: seconds((part ?? frag).duration) },
      // hls.js may start at a level that is not in the ladder, because a better one has a lower bitrate.
      rung: level === undefined ? undefined : makeLevelLadder(hls, [level])?.[0],
      awaitsViewer: awaitsViewer(this.media),
      lowLatency: isLowLatency(hls, part, hls.latestLevelDetails),
      // hls.js often requests audio before video, but the first request with `rtp` to an origin must be for video.
      isFinal: level === undefined,
      requestTimeout: seconds(hls.config.fragLoadPolicy.default.maxLoadTimeMs / 1000),
      ...this.#readSituation(mediaType, part ?? frag),
    });
  }

  #readSituation(mediaType: MediaType, segment?: { readonly start: number }): Situation {
    const hls = this.#hls;
    const { media } = hls;
    const isOfLevels = mediaType === findLevelMediaType(hls);
    const info = isOfLevels ? hls.mainForwardBufferInfo : hls.audioForwardBufferInfo;
    return makeSituation({
      ...{ mediaType, media, sizes: this.#sizes, start: segment?.start, playbackRate: media?.playbackRate },
      // hls.js 1.6 does not report the audio buffer; the playable seconds are then a lower bound.
      buffer: info ? info.len : readPlayable(media),
      // At lower levels, hls.js fills the buffer further.
      maxBuffer: bufferLengthAt(hls, hls.levels[hls.maxAutoLevel]?.bitrate ?? 0),
    });
  }
}

/** Sammy on an hls.js player. */
export type HlsAttachment = PlayerAttachment<Session>;
