import { OPPORTUNITY_BYTES } from '../../links/traces.ts';
import type { CompletedDecision, Phase } from '../../../src/decision.ts';
import type { Rung } from '../../../src/film/ladder.ts';
import type { Sammy } from '../../../src/session/sammy.ts';
import type { Connection } from '../network/connection.ts';
import type { ConnectionPool } from '../network/pool.ts';
import { BrowserCache } from './browser-cache.ts';
import type { Chooser, InFlight } from './chooser.ts';
import type { Film } from './film.ts';
import { receiptOf } from './receipt.ts';
import { paceOf } from './requested-pace.ts';
import type { Situation } from './situation.ts';
import type { Download, Fetch, Track } from './track.ts';

/** What browser and server need of a request beside the network. */
export const REQUEST_MS = 3;
/** How often a browser tells of progress, about; dash.js then looks whether to give the download up. */
const PROGRESS_MS = 100;
/** An initialization segment with its headers, and the headers of a response that says "not modified". */
const INITIALIZATION_BYTES = 1200;
const NOT_MODIFIED_BYTES = 300;

interface Parts {
  readonly film: Film;
  readonly situation: Situation;
  readonly sammy: Sammy;
  readonly chooser: Chooser;
  readonly pool: ConnectionPool;
  /** The name of the congestion control, and the round trip of the idle link. */
  readonly congestionControl: string;
  readonly rtt_ms: number;
  readonly goodputOfPace: number;
}

/** The player's requests, from the decision to what has become of it. */
export class Downloads {
  readonly decisions: CompletedDecision[] = [];
  readonly #parts: Parts;
  readonly #cache = new BrowserCache();

  constructor(parts: Parts) {
    this.#parts = parts;
    const { sammy, pool, rtt_ms, congestionControl } = parts;
    // Of the initialization segments, which are fetched before the session.
    sammy.receipt = receiptOf(pool.latest, rtt_ms, null, congestionControl);
  }

  phaseOf(connection: Connection): Phase | undefined {
    const { video, audio } = this.#parts.situation;
    if (video.download?.connection === connection) return video.download.decision.phase;
    return audio?.download?.connection === connection ? audio.download.decision.phase : undefined;
  }

  /** dash.js fetches the initialization segment with every change of the representation. */
  initialize(track: Track): void {
    track.initialization = this.#fetch(INITIALIZATION_BYTES, null);
  }

  initialized(track: Track, { connection, receipt }: Fetch): void {
    track.initialization = undefined;
    this.#parts.sammy.receipt = receipt;
    this.#parts.pool.release(connection);
  }

  request(track: Track): void {
    const { film, situation, sammy } = this.#parts;
    const { now_ms, settings, timeline } = situation;
    const { rung, next: index } = track;
    const size_bytes = film.sidecar.representations[rung.id]?.segment_bytes[index];
    if (size_bytes === undefined)
      throw new Error(`the film's sidecar has no size of segment ${index} of ${rung.id}`);
    const start_s = timeline.startOf(index);
    const duration_s = timeline.durationOf(index);
    const decision = sammy.decide(situation.stateOf(track, start_s), { rung, start_s, duration_s });
    const pace_kbps = paceOf(decision, settings);
    const cached = this.#cache.has(decision);
    const fetch = this.#fetch(cached ? NOT_MODIFIED_BYTES : size_bytes, pace_kbps);
    const mayBeGivenUp = track === situation.video && track.givenUp !== index && !cached;
    track.asksRules = true;
    track.download = {
      ...fetch,
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
    const { situation, chooser, pool } = this.#parts;
    const { now_ms, playback, timeline, video } = situation;
    const { index, rung, decision, transfer, connection, requested_ms } = download;
    const receiving_ms = Math.max(1, now_ms - transfer.first_ms);
    connection.delivery_kbps = (transfer.size_bytes * 8) / receiving_ms;
    if (track === video) {
      chooser.downloaded(
        {
          start_s: decision.segment_start_s,
          duration_s: decision.segment_duration_s,
          requested_ms,
          finished_ms: now_ms,
        },
        rung,
        transfer.size_bytes,
        receiving_ms,
        situation.bufferOf(track),
      );
    }
    track.bitrates[index] = rung.bitrate_kbps;
    track.next = index + 1;
    track.bufferEnd_s = Math.max(track.bufferEnd_s, timeline.startOf(track.next));
    this.#cache.add(decision);
    this.#end(track, download, 'completed');
    pool.release(connection);
    playback.filled(now_ms, situation.playableEnd_s);
    if (track === video) chooser.filled(situation.bufferOf(track));
  }

  /** Gives the download up where whoever chooses says so: the rung to begin anew with. */
  progress(track: Track, download: Download): Rung | undefined {
    const { situation, chooser } = this.#parts;
    const { now_ms } = situation;
    const { transfer, rung, index, decision, requested_ms } = download;
    download.progress_ms += PROGRESS_MS;
    if (!(transfer.first_ms <= now_ms)) return undefined;
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
    const { pool, situation, chooser } = this.#parts;
    if (track === situation.video && download.transfer.first_ms <= situation.now_ms)
      chooser.gaveUp(download.requested_ms, situation.now_ms, this.#inFlight(download));
    pool.close(download.connection, situation.now_ms);
  }

  /** A download whose first byte has arrived. */
  #inFlight({ transfer, decision }: Download): InFlight {
    const { now_ms } = this.#parts.situation;
    return {
      loaded_bytes: transfer.arrivedBy(now_ms),
      total_bytes: transfer.size_bytes,
      elapsed_ms: now_ms - transfer.first_ms,
      first_bytes: Math.min(OPPORTUNITY_BYTES, transfer.size_bytes),
      pace_kbps: decision.requested_kbps,
      duration_s: decision.segment_duration_s,
    };
  }

  #fetch(size_bytes: number, pace_kbps: number | null): Fetch {
    const { pool, situation, rtt_ms, congestionControl, goodputOfPace } = this.#parts;
    const { now_ms } = situation;
    const { connection, opens_ms } = pool.take(now_ms);
    const sent_kbps = pace_kbps === null ? null : goodputOfPace * pace_kbps;
    return {
      connection,
      receipt: receiptOf(connection, opens_ms || rtt_ms, pace_kbps, congestionControl),
      transfer: connection.send(size_bytes, sent_kbps, now_ms + opens_ms + REQUEST_MS + rtt_ms / 2),
    };
  }

  #end(track: Track, download: Download, outcome: 'completed' | 'abandoned'): void {
    const { sammy, situation } = this.#parts;
    const { decision, transfer, requested_ms, receipt, size_bytes, cached } = download;
    track.download = undefined;
    const told = { outcome, download_ms: situation.now_ms - requested_ms, receipt };
    this.decisions.push(
      sammy.complete(
        decision,
        cached
          ? { ...told, size_bytes, from_cache: true }
          : { ...told, size_bytes: Math.round(transfer.arrivedBy(situation.now_ms)) },
      ),
    );
  }
}
