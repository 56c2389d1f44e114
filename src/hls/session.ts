import type { Ladder, Rung } from '../film/ladder.ts';
import type { MediaType } from '../film/media-type.ts';
import type { PlayerAttachment } from '../host/attachment.ts';
import { PageSession, type Download, type PageContext } from '../host/page-session.ts';
import type { SammyOptions } from '../options.ts';
import { showsSlowNetwork } from '../session/abandon.ts';
import { bytes, seconds, type Kbps } from '../units.ts';
import {
  choosableLevels,
  findLevelMediaType,
  makeLevelLadder,
  makeRenditionLadder,
  playlistSizes,
} from './levels.ts';
import type { HlsPlayer, LoaderStats, MediaRequest } from './player.ts';
import { readMediaState, readSituation } from './state.ts';

/** A playback session of hls.js. */
export class Session extends PageSession {
  /** The level of the segment that was loaded last; -1 before the first. */
  lastLevel = -1;
  readonly #hls: HlsPlayer;
  readonly #context: PageContext;
  readonly #sizes;
  /** Start time of the last abandoned segment. */
  readonly #lastAbandoned = new Map<MediaType, number>();

  constructor(options: SammyOptions, context: PageContext, hls: HlsPlayer) {
    super(options, context);
    this.#hls = hls;
    this.#context = context;
    this.#sizes = playlistSizes(hls);
  }

  /** Returns the level for the next segment, or undefined to leave the choice to hls.js. `base` is as `choosableLevels` says. */
  chooseLevel(base: number): number | undefined {
    const hls = this.#hls;
    if (!this.core.choosesRungs) return undefined;
    const indexes = choosableLevels(hls, base);
    const ladder = makeLevelLadder(hls, indexes);
    if (!ladder) return undefined;
    const mediaType = findLevelMediaType(hls);
    const { rung } = this.core.chooseRung({ ladder, ...readSituation(hls, mediaType, this.#sizes) });
    return this.#findLevel(indexes, rung);
  }

  #findLevel(indexes: readonly number[], rung: Rung): number | undefined {
    return indexes.find((index) => makeLevelLadder(this.#hls, [index])?.[0].id === rung.id);
  }

  /**
   * Returns the level at which to download the segment in flight again, or undefined to let it continue. Each segment is abandoned
   * at most once, so its replacement is safe.
   */
  chooseAbandonment(request: MediaRequest, { decision }: Download, stats: LoaderStats): number | undefined {
    const hls = this.#hls;
    const { mediaType, frag, part } = request;
    const { start } = part ?? frag;
    if (!this.core.choosesRungs || !hls.autoLevelEnabled || frag.type !== 'main') return undefined;
    if (this.#lastAbandoned.get(mediaType) === start) return undefined;
    const { first } = stats.loading;
    const progress = {
      loaded: bytes(stats.loaded),
      total: bytes(stats.total),
      // NaN before the first byte, when the download cannot be judged.
      elapsed: seconds(first > 0 ? (performance.now() - first) / 1000 : NaN),
      pace: decision.requested_kbps as Kbps | null,
      expected: decision.estimate_kbps as Kbps | null,
    };
    if (!showsSlowNetwork(progress)) return undefined;
    const indexes = choosableLevels(hls, frag.level);
    const rung = this.core.chooseAbandonment(
      readSituation(hls, mediaType, this.#sizes, part ?? frag),
      { bitrate_kbps: decision.bitrate_kbps as Kbps },
      () => makeLevelLadder(hls, indexes),
      progress,
    );
    if (!rung) return undefined;
    this.#lastAbandoned.set(mediaType, start);
    return this.#findLevel(indexes, rung);
  }

  /** The rungs that can be chosen for a request: only the present one if the application has fixed the level. */
  #findLadder(request: MediaRequest): Ladder | undefined {
    const hls = this.#hls;
    const { type, level } = request.frag;
    if (type === 'audio') return makeRenditionLadder(hls, request);
    return makeLevelLadder(hls, hls.autoLevelEnabled ? choosableLevels(hls, level) : [level]);
  }

  /** Records a request for a segment or a part of one; undefined if the playlist gives no bitrates. */
  requestedSegment(request: MediaRequest): Download | undefined {
    const { mediaType, frag, part, url } = request;
    const { media } = this.#hls;
    this.begun = true;
    const ladder = this.#findLadder(request);
    if (!ladder) {
      const message = `the manifest gives no bitrates for ${mediaType}`;
      this.#context.warnings.warn('no-bitrates', message);
      return undefined;
    }
    // An element that is paused and does not play by itself waits for the viewer or the page.
    if (!media || (media.paused && !media.autoplay)) this.awaitViewer();
    // hls.js may start at a level that the ladder leaves out, because a better one has a lower bitrate.
    const present = frag.type === 'main' ? makeLevelLadder(this.#hls, [frag.level]) : ladder;
    const state = readMediaState(this.#hls, ladder, this.#sizes, request);
    const decision = this.core.decide(state, (present ?? ladder)[0], seconds((part ?? frag).duration));
    return this.requested(url, decision);
  }
}

/** Sammy on an hls.js player. */
export type HlsAttachment = PlayerAttachment<Session>;
