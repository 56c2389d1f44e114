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

/** How often a browser tells of progress, about; dash.js then looks whether to give the download up. */
const PROGRESS_MS = 100;
/** An initialization segment with its headers. */
const INITIALIZATION_BYTES = 1200;

interface Parts {
  readonly film: Film;
  readonly situation: Situation;
  readonly sammy: Sammy;
  readonly chooser: Chooser;
  readonly wire: Wire;
}

/** The player's requests, from the decision to what has become of it. */
export class Downloads {
  readonly decisions: CompletedDecision[] = [];
  /** Of the picture's paced segments, where the wire says it. */
  readonly unpaced: Unpaced[] = [];
  readonly #parts: Parts;
  readonly #cache = new BrowserCache();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Undefined where it is of no segment, or ended. */
  phaseOf(fetch: Fetch | undefined): Phase | undefined {
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
    fetch.done();
  }

  request(track: Track): void {
    const { film, situation, sammy, wire } = this.#parts;
    const { now_ms, settings, timeline } = situation;
    const { rung, next: index } = track;
    const size_bytes = film.sidecar.representations[rung.id]?.segment_bytes[index];
    if (size_bytes === undefined)
      throw new Error(`the film's sidecar has no size of segment ${index} of ${rung.id}`);
    const start_s = timeline.startOf(index);
    const duration_s = timeline.durationOf(index);
    const decision = sammy.decide(situation.stateOf(track, start_s), rung, seconds(duration_s));
    const pace_kbps = paceOf(decision, settings);
    const cached = this.#cache.get(decision) !== undefined;
    const fetch = wire.fetch(
      { representation: rung.id, segment: index, size_bytes, pace_kbps, cached },
      now_ms,
    );
    const mayBeGivenUp = track === situation.video && track.givenUp !== index && !cached;
    track.asksRules = true;
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
    // dash.js takes the first entry of Resource Timing by the address: of what came from the cache, how it came before.
    const came = this.#cache.get(decision) ?? {
      bytes: transfer.size_bytes,
      receiving_ms: Math.max(1, now_ms - transfer.first_ms),
    };
    if (track === video) {
      chooser.downloaded(
        {
          start_s: decision.segment_start_s,
          duration_s: decision.segment_duration_s,
          requested_ms,
          finished_ms: now_ms,
        },
        rung,
        came.bytes,
        came.receiving_ms,
        situation.bufferOf(track),
      );
    }
    track.bitrates[index] = rung.bitrate_kbps;
    track.next = index + 1;
    track.bufferEnd_s = Math.max(track.bufferEnd_s, timeline.startOf(track.next));
    this.#cache.add(decision, came);
    this.#end(track, download, 'completed');
    fetch.done();
    playback.filled(now_ms, situation.playableEnd_s);
    if (track === video) chooser.filled(situation.bufferOf(track));
  }

  /** Gives the download up where whoever chooses says so: the rung to begin anew with. */
  progress(track: Track, download: Download): Rung | undefined {
    const { situation, chooser } = this.#parts;
    const { now_ms } = situation;
    const { fetch, rung, index, decision, requested_ms } = download;
    download.progress_ms += PROGRESS_MS;
    if (!(fetch.transfer.first_ms <= now_ms)) return undefined;
    if (fetch.transfer.silentSince?.(now_ms - PROGRESS_MS)) return undefined;
    const state = situation.stateOf(track, decision.segment_start_s);
    const inFlight = this.#inFlight(download);
    const goesOn_ms = chooser.goesOnFor(state, inFlight);
    if (goesOn_ms > 0) {
      const ticks = Math.ceil((now_ms + goesOn_ms - requested_ms) / PROGRESS_MS);
      download.progress_ms = Math.max(download.progress_ms, requested_ms + ticks * PROGRESS_MS);
      return undefined;
    }
    const lower = chooser.abandon(state, rung, now_ms, inFlight);
    if (lower) {
      track.givenUp = index;
      this.giveUp(track, download);
    }
    return lower;
  }

  /** Less is buffered than a moment ago: whoever chooses is asked again. */
  lookAgain({ download }: Track): void {
    if (download && download.progress_ms < Infinity)
      download.progress_ms = this.#parts.situation.now_ms + PROGRESS_MS;
  }

  giveUp(track: Track, download: Download): void {
    this.#end(track, download, 'abandoned');
    const { situation, chooser } = this.#parts;
    if (track === situation.video && download.fetch.transfer.first_ms <= situation.now_ms)
      chooser.gaveUp(download.requested_ms, situation.now_ms, this.#inFlight(download));
    download.fetch.giveUp(situation.now_ms);
  }

  /** A download whose first byte has arrived. */
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

/** CMCD: `rtp` in steps of so many kbit/s. */
const STEP_KBPS = 100;
/** dash.js takes an empty buffer for half a second. */
const EMPTY_S = 0.5;

/** The pace of a response, kbit/s: the plug-in's, or dash.js's own `rtp`, which the edge raises for the top bitrate; null for none. */
function paceOf(decision: Decision, { rtpSafetyFactor }: PlayerSettings): number | null {
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
