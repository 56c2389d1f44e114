import { OPPORTUNITY_BYTES } from '../../../../p4/switch/link/trace.ts';
import type { CompletedDecision, Decision, Phase } from '../../../../src/decision.ts';
import type { Rung } from '../../../../src/film/ladder.ts';
import type { Sammy } from '../../../../src/session/sammy.ts';
import { BrowserCache } from './browser-cache.ts';
import type { Chooser, InFlight } from './chooser.ts';
import { kbps, seconds } from '../../../../src/units.ts';
import type { Film } from './film.ts';
import type { Unpaced } from '../simulated-session.ts';
import type { Situation } from './situation.ts';
import type { Download, Track } from './track.ts';
import type { Fetch, Wire } from './wire.ts';
import { leastForForeign, paceLimits } from '../../../../edge/policy.ts';
import type { PlayerSettings } from './settings.ts';

/**
 * The approximate interval of a browser's progress events; at each one, dash.js checks whether to abandon the download.
 */
const PROGRESS_MS = 100;
/** The size of an initialization segment with its response headers. */
const INITIALIZATION_BYTES = 1200;

interface Parts {
  readonly film: Film;
  readonly situation: Situation;
  readonly sammy: Sammy;
  readonly chooser: Chooser;
  readonly wire: Wire;
}

/** The player's requests, from the decision to the end of the download. */
export class Downloads {
  readonly decisions: CompletedDecision[] = [];
  /** The unpaced durations of paced video segments; empty unless the wire computes unpaced durations. */
  readonly unpaced: Unpaced[] = [];
  readonly #parts: Parts;
  readonly #cache = new BrowserCache();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The phase in which a segment's download was requested; undefined for other fetches and ended downloads. */
  getPhase(fetch: Fetch | undefined): Phase | undefined {
    const { video, audio } = this.#parts.situation;
    if (fetch === undefined) return undefined;
    if (video.download?.fetch === fetch) return video.download.decision.phase;
    return audio?.download?.fetch === fetch ? audio.download.decision.phase : undefined;
  }

  /** dash.js fetches the initialization segment with every change of the representation. */
  initialize(track: Track): void {
    const { wire, situation } = this.#parts;
    track.initialization = wire.fetch(
      {
        representation: track.rung.id,
        segment: null,
        size_bytes: INITIALIZATION_BYTES,
        pace_kbps: null,
        cached: false,
      },
      situation.now_ms,
    );
  }

  initialized(track: Track, fetch: Fetch): void {
    track.initialization = undefined;
    this.#parts.sammy.recordReceipt(fetch.receipt);
    fetch.release();
  }

  request(track: Track): void {
    const { film, situation, sammy, wire } = this.#parts;
    const { now_ms, settings, timeline } = situation;
    const { rung, next: index } = track;
    const size_bytes = film.sidecar.representations[rung.id]?.segment_bytes[index];
    if (size_bytes === undefined)
      throw new Error(`the video's sidecar has no size of segment ${index} of ${rung.id}`);
    const start_s = timeline.getStart_s(index);
    const duration_s = timeline.getDuration_s(index);
    const decision = sammy.decide(situation.getState(track, start_s), rung, seconds(duration_s));
    const pace_kbps = getPace_kbps(decision, settings);
    const cached = this.#cache.get(decision) !== undefined;
    const fetch = wire.fetch(
      { representation: rung.id, segment: index, size_bytes, pace_kbps, cached },
      now_ms,
    );
    const mayBeGivenUp = track === situation.video && track.abandonedIndex !== index && !cached;
    track.needsChoice = true;
    track.download = {
      fetch,
      decision,
      rung,
      index,
      requested_ms: now_ms,
      size_bytes,
      cached,
      progress_ms: mayBeGivenUp ? now_ms + PROGRESS_MS : Infinity,
    };
  }

  arrive(track: Track, download: Download): void {
    const { situation, chooser } = this.#parts;
    const { now_ms, playback, timeline, video } = situation;
    const { index, rung, decision, fetch, requested_ms } = download;
    const { transfer } = fetch;
    // dash.js uses the first Resource Timing entry of a URL. For a cached segment, that is the entry of its original
    // download.
    const came = this.#cache.get(decision) ?? {
      bytes: transfer.size_bytes,
      receiving_ms: Math.max(1, now_ms - transfer.first_ms),
    };
    if (track === video) {
      chooser.recordDownload(
        {
          start_s: decision.segment_start_s,
          duration_s: decision.segment_duration_s,
          requested_ms,
          finished_ms: now_ms,
        },
        rung,
        came.bytes,
        came.receiving_ms,
        situation.getBuffer_s(track),
      );
    }
    track.bitrates[index] = rung.bitrate_kbps;
    track.next = index + 1;
    track.bufferEnd_s = Math.max(track.bufferEnd_s, timeline.getStart_s(track.next));
    this.#cache.add(decision, came);
    this.#end(track, download, 'completed');
    fetch.release();
    playback.recordArrival(now_ms, situation.playableEnd_s);
    if (track === video) chooser.recordBuffer(situation.getBuffer_s(track));
  }

  /** Checks whether to abandon a download in progress. If so, returns the rung for the new request. */
  checkProgress(track: Track, download: Download): Rung | undefined {
    const { situation, chooser } = this.#parts;
    const { now_ms } = situation;
    const { fetch, rung, index, decision, requested_ms } = download;
    download.progress_ms += PROGRESS_MS;
    if (!(fetch.transfer.first_ms <= now_ms)) return undefined;
    if (fetch.transfer.isSilentSince?.(now_ms - PROGRESS_MS)) return undefined;
    const state = situation.getState(track, decision.segment_start_s);
    const inFlight = this.#inFlight(download);
    const goesOn_ms = chooser.earliestAbandonment_ms(state, inFlight);
    if (goesOn_ms > 0) {
      const ticks = Math.ceil((now_ms + goesOn_ms - requested_ms) / PROGRESS_MS);
      download.progress_ms = Math.max(download.progress_ms, requested_ms + ticks * PROGRESS_MS);
      return undefined;
    }
    const lower = chooser.abandon(state, rung, now_ms, inFlight);
    if (lower) {
      track.abandonedIndex = index;
      this.abort(track, download);
    }
    return lower;
  }

  /** Schedules a check of the download, because the buffer has become smaller. */
  checkSoon({ download }: Track): void {
    if (download && download.progress_ms < Infinity)
      download.progress_ms = this.#parts.situation.now_ms + PROGRESS_MS;
  }

  abort(track: Track, download: Download): void {
    this.#end(track, download, 'abandoned');
    const { situation, chooser } = this.#parts;
    if (track === situation.video && download.fetch.transfer.first_ms <= situation.now_ms)
      chooser.recordAbort(download.requested_ms, situation.now_ms, this.#inFlight(download));
    download.fetch.abort(situation.now_ms);
  }

  /** Describes a download whose first byte has arrived. */
  #inFlight({ fetch: { transfer }, decision }: Download): InFlight {
    const { now_ms } = this.#parts.situation;
    return {
      loaded_bytes: transfer.arrivedBy(now_ms),
      total_bytes: transfer.size_bytes,
      elapsed_ms: now_ms - transfer.first_ms,
      first_bytes: Math.min(OPPORTUNITY_BYTES, transfer.size_bytes),
      pace_kbps: decision.requested_kbps,
      estimate_kbps: decision.estimate_kbps,
      duration_s: decision.segment_duration_s,
    };
  }

  #end(track: Track, download: Download, outcome: 'completed' | 'abandoned'): void {
    const { sammy, situation } = this.#parts;
    const { decision, fetch, requested_ms, size_bytes, cached } = download;
    const { transfer, receipt, unpaced_ms } = fetch;
    if (unpaced_ms !== undefined && track === situation.video)
      this.unpaced.push({ sequence: decision.sequence, unpaced_ms });
    track.download = undefined;
    const told = { outcome, download_ms: situation.now_ms - requested_ms, receipt };
    this.decisions.push(
      sammy.complete(
        decision,
        cached
          ? { ...told, size_bytes, from_cache: true }
          : { ...told, size_bytes: Math.round(transfer.arrivedBy(situation.now_ms)), from_cache: false },
      ),
    );
  }
}

/** The granularity of CMCD's `rtp`, kbit/s. */
const STEP_KBPS = 100;
/** dash.js treats an empty buffer as half a second. */
const EMPTY_S = 0.5;

/**
 * The pace of a response, kbit/s: the pace of the plug-in, or the `rtp` of dash.js itself, which the edge raises to
 * the least pace for the top bitrate; null for an unpaced response.
 */
function getPace_kbps(decision: Decision, { rtpSafetyFactor }: PlayerSettings): number | null {
  if (rtpSafetyFactor === undefined) return decision.requested_kbps;
  const { bitrate_kbps, top_bitrate_kbps, segment_duration_s, buffer_s } = decision;
  const least_kbps = (bitrate_kbps * segment_duration_s) / (buffer_s > 0 ? buffer_s : EMPTY_S);
  const rtp_kbps = Math.ceil((rtpSafetyFactor * least_kbps) / STEP_KBPS) * STEP_KBPS;
  return Math.max(
    rtp_kbps,
    leastForForeign(
      { bitrate: kbps(bitrate_kbps), topBitrate: kbps(top_bitrate_kbps), playbackRate: 1 },
      paceLimits(),
    ),
  );
}
