import { OPPORTUNITY_BYTES } from '../../links/traces.ts';
import { seededRandom } from '../../report/statistics/random.ts';
import type { CompletedDecision, Phase } from '../../../src/decision.ts';
import { topOf, type Rung } from '../../../src/film/ladder.ts';
import { InitialThroughputHistory, type TextStorage } from '../../../src/learning/history.ts';
import { sessionSummary } from '../../../src/session/summary.ts';
import { Sammy } from '../../../src/session/sammy.ts';
import type { MediaState } from '../../../src/session/state.ts';
import { bytes, kbps, milliseconds, seconds } from '../../../src/units.ts';
import { Bottleneck } from '../network/bottleneck.ts';
import { congestionControlNamed } from '../network/congestion/index.ts';
import type { Connection } from '../network/connection.ts';
import { ConnectionPool } from '../network/pool.ts';
import type { SimulatedResult, SimulatedSession } from '../simulated-session.ts';
import type { Chooser } from './chooser.ts';
import { segmentStarts } from './film.ts';
import { Playback } from './playback.ts';
import { paceOf } from './requested-pace.ts';
import { settingsOf, type PlayerSettings } from './settings.ts';
import { isTop, SammyChooser } from './sammy-chooser.ts';
import { StockChooser } from './stock-chooser.ts';
import { Track, type Download } from './track.ts';

/** Page, manifest and index, of which so many round trips, until the first segment is requested. */
const START_MS = 95;
const START_ROUND_TRIPS = 2;
/** Sound comes a little earlier or later; the lab has both. */
const AUDIO_LATER_MS = 10;
/** From an arrival to the next request: dash.js parses, appends and thinks. */
const BETWEEN_MS = 10;
/** For the first segment of a representation its initialization segment is fetched before. */
const INITIALIZING_MS = 20;
/** What browser and server need of a request beside the network. */
export const REQUEST_MS = 3;
/** dash.js 5.2: `scheduling.defaultTimeout`. */
const BUFFER_FULL_POLL_MS = 500;
/** How often a browser tells of progress, about; dash.js then looks whether to give the download up. */
const PROGRESS_MS = 100;
/** Browsers fire `timeupdate` about so often; the lab samples the buffer as often. */
const TIME_UPDATE_MS = 250;
const FAST_SWITCH_AHEAD = 1.5;
/** Segments of sound end with a whole frame of it, a little before the picture's. */
const FRAME_S = 0.01;

/** The day on which all simulated sessions are played, ms since 1970. */
const TODAY_MS = 1_700_000_000_000;

/** The player, its media element, its downloads, and the network: one session, event by event. */
export class SimulatedPlayer {
  readonly #session: SimulatedSession;
  readonly #settings: PlayerSettings;
  readonly #sammy: Sammy;
  readonly #history: InitialThroughputHistory;
  readonly #chooser: Chooser;
  readonly #pool: ConnectionPool;
  readonly #playback = new Playback();
  readonly #video: Track;
  readonly #audio: Track | undefined;
  readonly #tracks: readonly Track[];
  readonly #starts_s: readonly number[];
  readonly #decisions: CompletedDecision[] = [];
  readonly #buffer: [number, number][] = [];
  readonly #seeks: { readonly at_ms: number; readonly to_s: number }[];
  readonly #half_ms: number;
  #now_ms = 0;
  #sample_ms = TIME_UPDATE_MS;
  #playingAt_ms: number | null = null;

  constructor(session: SimulatedSession) {
    this.#session = session;
    const { film, network, arm, seed = 1 } = session;
    const now = () => milliseconds(this.#now_ms);
    const today = () => milliseconds(TODAY_MS + this.#now_ms);
    this.#starts_s = segmentStarts(film);
    this.#settings = settingsOf(session, this.#starts_s.at(-1) ?? 0);
    this.#history = new InitialThroughputHistory(memory());
    for (const throughput of session.history ?? []) this.#history.add(kbps(throughput), today(), '');
    this.#sammy = new Sammy(
      { ...arm.sammy, sidecar: film.sidecar },
      {
        now,
        today,
        history: this.#history,
        summary: sessionSummary,
      },
    );
    const { video, audio } = film.ladders;
    this.#chooser =
      arm.sammy.abr === 'player'
        ? new StockChooser(
            {
              ladder: video,
              bufferTarget_s: this.#settings.bufferTarget_s,
              bola: this.#settings.bola,
              remembered_kbps: session.history?.at(-1),
            },
            this.#settings.fastSwitch,
          )
        : new SammyChooser(this.#sammy, video);
    this.#half_ms = network.rtt_ms / 2;
    const starts_ms = START_MS + START_ROUND_TRIPS * network.rtt_ms;
    this.#video = new Track('video', video, this.#chooser.first, starts_ms);
    this.#audio = audio && new Track('audio', audio, topOf(audio), starts_ms + AUDIO_LATER_MS);
    this.#tracks = this.#audio ? [this.#video, this.#audio] : [this.#video];
    this.#pool = new ConnectionPool(
      {
        bottleneck: new Bottleneck(network.capacity, network.queue_bytes),
        base_ms: network.rtt_ms,
        loss: network.loss ?? 0,
        random: seededRandom(seed),
        observe: session.observe && ((batch) => session.observe?.(batch, this.#phaseOf(batch.connection))),
      },
      congestionControlNamed(network.congestionControl ?? 'reno'),
    );
    this.#seeks = (session.seeks ?? []).map(({ at_s, to_s }) => ({ at_ms: at_s * 1000, to_s }));
  }

  play(): SimulatedResult {
    const end_ms = this.#session.seconds * 1000;
    this.#sammy.playbackRequested();
    while (this.#step(end_ms)) {
      // One event after the other.
    }
    this.#advance(end_ms);
    const { summary } = this.#sammy;
    if (!summary) throw new Error('the session has no summary');
    return {
      summary,
      decisions: this.#decisions,
      buffer: this.#buffer,
      playingAt_ms: this.#playingAt_ms,
      history: this.#history.sessions(milliseconds(TODAY_MS + end_ms), ''),
    };
  }

  /** The next event, unless there is none before `end_ms`. */
  #step(end_ms: number): boolean {
    const sender = this.#pool.next;
    const playback_ms = this.#playback.next_ms(this.#playableEnd_s);
    const seek = this.#seeks[0];
    let track = this.#video;
    if (this.#audio && this.#audio.wakes_ms < track.wakes_ms) track = this.#audio;
    const player_ms = Math.min(playback_ms, track.wakes_ms, seek?.at_ms ?? Infinity);
    if (sender && sender.next_ms <= player_ms) {
      if (sender.next_ms >= end_ms) return false;
      sender.sendBatch();
      return true;
    }
    if (player_ms >= end_ms) return false;
    this.#advance(player_ms);
    if (player_ms === seek?.at_ms) this.#seek(seek.to_s);
    else if (player_ms === playback_ms) this.#changePlayback();
    else if (!track.download) this.#schedule(track);
    else if (track.download.transfer.ends_ms <= player_ms) this.#arrive(track, track.download);
    else this.#progress(track, track.download);
    return true;
  }

  /** The clock goes on; the plug-in hears of the playhead as often as a browser tells it. */
  #advance(to_ms: number): void {
    while (this.#sample_ms <= to_ms) {
      this.#moveTo(this.#sample_ms);
      this.#buffer.push([this.#sample_ms / 1000, this.#bufferOf(this.#video)]);
      if (this.#playback.playing) this.#tellPlayhead();
      this.#sample_ms += TIME_UPDATE_MS;
    }
    this.#moveTo(to_ms);
  }

  #moveTo(to_ms: number): void {
    this.#now_ms = to_ms;
    this.#playback.advance(to_ms, this.#playableEnd_s);
  }

  #tellPlayhead(): void {
    const { playhead_s } = this.#playback;
    this.#sammy.playhead(seconds(playhead_s), seconds(Math.max(0, this.#playableEnd_s - playhead_s)));
  }

  #changePlayback(): void {
    if (this.#playback.change() === 'playing') {
      this.#playingAt_ms ??= this.#now_ms;
      this.#sammy.playing();
      return;
    }
    this.#sammy.waiting();
    this.#chooser.emptied();
  }

  // Downloads ----------------------------------------------------------------

  /** Asks for the next segment, unless the buffer is full. */
  #schedule(track: Track): void {
    const duration_s = this.#durationOf(track.next);
    if (track.next >= this.#session.film.sidecar.segment_duration_s.length) {
      track.schedule_ms = Infinity;
      return;
    }
    if (this.#isFull(track, duration_s)) {
      track.schedule_ms = this.#now_ms + BUFFER_FULL_POLL_MS;
      return;
    }
    const made_ms = this.#madeAt_ms(track.next);
    if (made_ms > this.#now_ms) {
      track.schedule_ms = made_ms;
      return;
    }
    if (track === this.#video && track.asksRules) {
      const state = this.#stateOf(track);
      const { rung, delay_ms } = this.#chooser.choose(state, track.rung, this.#now_ms, duration_s);
      if (rung.id !== track.rung.id) {
        this.#switch(track, state, rung);
        return;
      }
      if (delay_ms > 0) {
        track.asksRules = false;
        track.schedule_ms = this.#now_ms + delay_ms;
        return;
      }
    }
    this.#request(track);
  }

  /** dash.js goes through a quality change before it requests, and through an initialization segment at first. */
  #switch(track: Track, state: MediaState, rung: Rung): void {
    const higher = rung.bitrate_kbps > track.rung.bitrate_kbps;
    if (higher && this.#chooser.replaces(state, rung))
      track.next = Math.min(track.next, this.#replacedFrom(rung));
    track.rung = rung;
    track.asksRules = false;
    track.schedule_ms = this.#now_ms + this.#initializing_ms(track);
  }

  #initializing_ms(track: Track): number {
    if (track.initialized.has(track.rung.id)) return 0;
    track.initialized.add(track.rung.id);
    return INITIALIZING_MS + this.#session.network.rtt_ms;
  }

  #request(track: Track): void {
    const { rung, next: index } = track;
    const size = this.#session.film.sidecar.representations[rung.id]?.segment_bytes[index];
    if (size === undefined)
      throw new Error(`the film's sidecar has no size of segment ${index} of ${rung.id}`);
    const start_s = this.#starts_s[index] ?? 0;
    const duration_s = this.#durationOf(index);
    const state = { ...this.#stateOf(track), nextSegmentAt: seconds(start_s) };
    const decision = this.#sammy.decide(state, { rung, start_s, duration_s });
    const { connection, opens_ms } = this.#pool.take();
    const pace = paceOf(decision, this.#settings);
    const begins_ms = this.#now_ms + opens_ms + REQUEST_MS + this.#half_ms;
    track.asksRules = true;
    const mayBeGivenUp = track === this.#video && track.givenUp !== index;
    track.download = {
      decision,
      rung,
      index,
      requested_ms: this.#now_ms,
      connection,
      transfer: connection.send(size, pace, begins_ms),
      receipt: receiptOf(connection, pace, this.#session.network.congestionControl ?? 'reno'),
      progress_ms: mayBeGivenUp ? this.#now_ms + PROGRESS_MS : Infinity,
    };
  }

  #arrive(track: Track, download: Download): void {
    const { index, rung, decision, transfer, connection, requested_ms } = download;
    const receiving_ms = Math.max(1, this.#now_ms - transfer.first_ms);
    connection.delivery_kbps = (transfer.size_bytes * 8) / receiving_ms;
    if (track === this.#video) {
      this.#chooser.downloaded(
        {
          start_s: decision.segment_start_s,
          duration_s: decision.segment_duration_s,
          requested_ms,
          finished_ms: this.#now_ms,
        },
        rung,
        transfer.size_bytes,
        receiving_ms,
        this.#bufferOf(track),
      );
    }
    track.bitrates[index] = rung.bitrate_kbps;
    track.next = index + 1;
    track.bufferEnd_s = Math.max(track.bufferEnd_s, this.#starts_s[track.next] ?? 0);
    this.#end(track, download, 'completed');
    this.#pool.release(connection);
    this.#playback.filled(this.#now_ms, this.#playableEnd_s);
    if (track === this.#video) this.#chooser.filled(this.#bufferOf(track));
    track.schedule_ms = this.#now_ms + BETWEEN_MS;
  }

  /** Gives the download up where whoever chooses says so. */
  #progress(track: Track, download: Download): void {
    const { transfer, rung, index, decision, requested_ms } = download;
    download.progress_ms += PROGRESS_MS;
    if (!(transfer.first_ms <= this.#now_ms)) return;
    const state = { ...this.#stateOf(track), nextSegmentAt: seconds(decision.segment_start_s) };
    const inFlight = {
      loaded_bytes: transfer.arrivedBy(this.#now_ms),
      total_bytes: transfer.size_bytes,
      elapsed_ms: this.#now_ms - transfer.first_ms,
      first_bytes: Math.min(OPPORTUNITY_BYTES, transfer.size_bytes),
      pace_kbps: decision.requested_kbps,
      duration_s: decision.segment_duration_s,
    };
    const lower = this.#chooser.abandon(state, rung, this.#now_ms, inFlight);
    if (!lower) {
      const until_ms = this.#now_ms + this.#chooser.goesOnFor(state, inFlight);
      const ticks = Math.ceil((until_ms - requested_ms) / PROGRESS_MS);
      download.progress_ms = Math.max(download.progress_ms, requested_ms + ticks * PROGRESS_MS);
      return;
    }
    track.givenUp = index;
    this.#giveUp(track, download);
    track.rung = lower;
    track.asksRules = false;
    track.schedule_ms = this.#now_ms + this.#initializing_ms(track);
  }

  #giveUp(track: Track, download: Download): void {
    this.#end(track, download, 'abandoned');
    this.#pool.close(download.connection);
  }

  #end(
    track: Track,
    { decision, transfer, requested_ms, receipt }: Download,
    outcome: 'completed' | 'abandoned',
  ): void {
    track.download = undefined;
    this.#decisions.push(
      this.#sammy.complete(decision, {
        outcome,
        size_bytes: Math.round(transfer.arrivedBy(this.#now_ms)),
        download_ms: this.#now_ms - requested_ms,
        receipt,
      }),
    );
  }

  #seek(to_s: number): void {
    this.#seeks.shift();
    const buffered = to_s >= this.#playback.playhead_s && to_s < this.#playableEnd_s;
    this.#sammy.seeking(seconds(buffered ? this.#playableEnd_s - to_s : 0));
    this.#chooser.sought();
    this.#playback.seek(to_s);
    if (buffered) {
      // There is less ahead now.
      const { download } = this.#video;
      if (download && download.progress_ms < Infinity) download.progress_ms = this.#now_ms + PROGRESS_MS;
      this.#playback.filled(this.#now_ms, this.#playableEnd_s);
      return;
    }
    for (const track of this.#tracks) {
      if (track.download) this.#giveUp(track, track.download);
      track.next = Math.max(
        0,
        this.#starts_s.findLastIndex((start_s) => start_s <= to_s + 1e-6),
      );
      track.bufferEnd_s = to_s;
      track.schedule_ms = this.#now_ms + BETWEEN_MS;
    }
  }

  // What the player knows ----------------------------------------------------

  #isFull(track: Track, duration_s: number): boolean {
    const { bufferTarget_s, maxBuffer_s } = this.#settings;
    const buffer_s = this.#bufferOf(track);
    // Sound goes by the picture.
    if (track !== this.#video)
      return buffer_s - FRAME_S >= Math.max(this.#bufferOf(this.#video) + 1, duration_s);
    const target_s = isTop(track.ladder, track.rung) ? maxBuffer_s : bufferTarget_s;
    return buffer_s + (target_s <= duration_s ? 0 : duration_s) >= target_s;
  }

  /** dash.js 5.2's fast switch: from 1.5 segments ahead of the playhead on, if so much is buffered, at a lower bitrate. */
  #replacedFrom(rung: Rung): number {
    const { next, bitrates } = this.#video;
    // Of a representation that it has requested nothing of, dash.js takes segments for a second long.
    const ahead_s = FAST_SWITCH_AHEAD * (this.#video.initialized.has(rung.id) ? this.#durationOf(next) : 1);
    const at_s = this.#playback.playhead_s + ahead_s;
    const index = this.#starts_s.findLastIndex((start_s) => start_s <= at_s);
    const buffered = bitrates[index];
    const replaceable = this.#bufferOf(this.#video) >= ahead_s && buffered !== undefined && index < next;
    return replaceable && buffered < rung.bitrate_kbps ? index : next;
  }

  /** Live, a segment is there when its last frame is; the viewer's clock began `liveDelay_s` behind. */
  #madeAt_ms(index: number): number {
    const { liveDelay_s } = this.#session;
    if (liveDelay_s === undefined) return 0;
    return ((this.#starts_s[index + 1] ?? 0) - liveDelay_s) * 1000;
  }

  #phaseOf(connection: Connection): Phase | undefined {
    return this.#tracks.find(({ download }) => download?.connection === connection)?.download?.decision.phase;
  }

  #bufferOf(track: Track): number {
    return Math.max(0, track.bufferEnd_s - this.#playback.playhead_s);
  }

  get #playableEnd_s(): number {
    return this.#audio ? Math.min(this.#video.bufferEnd_s, this.#audio.bufferEnd_s) : this.#video.bufferEnd_s;
  }

  #durationOf(index: number): number {
    return this.#session.film.sidecar.segment_duration_s[index] ?? 0;
  }

  #stateOf(track: Track): MediaState {
    const { playhead_s } = this.#playback;
    const { maxBuffer_s, bufferTarget_s, requestTimeout_s } = this.#settings;
    return {
      playhead: seconds(playhead_s),
      mediaType: track.type,
      ladder: track.ladder,
      buffer: seconds(this.#bufferOf(track)),
      playable: seconds(Math.max(0, this.#playableEnd_s - playhead_s)),
      maxBuffer: seconds(maxBuffer_s),
      bufferTarget: seconds(bufferTarget_s),
      playbackRate: 1,
      nextSegmentAt: seconds(track.bufferEnd_s),
      sizes: undefined,
      lowLatency: false,
      requestTimeout: seconds(requestTimeout_s),
    };
  }
}

/** As the response begins. */
function receiptOf(connection: Connection, pace: number | null, congestionControl: string) {
  const { srtt_ms, least_rtt_ms, sent_bytes, retransmitted_bytes, delivery_kbps, control, name } = connection;
  return {
    pace_kbps: pace === null ? null : kbps(pace),
    ...(srtt_ms > 0 && { rtt_ms: milliseconds(srtt_ms), min_rtt_ms: milliseconds(least_rtt_ms) }),
    ...(delivery_kbps !== undefined && { etp_kbps: kbps(Math.round(delivery_kbps)) }),
    sent_bytes: bytes(Math.round(sent_bytes)),
    retransmitted_bytes: bytes(Math.round(retransmitted_bytes)),
    cwnd_packets: Math.floor(control.window),
    congestion_control: congestionControl,
    connection: name,
  };
}

/** A storage of one text. */
function memory(): TextStorage {
  let text: string | null = null;
  return {
    read: () => text,
    write: (written) => void (text = written),
    remove: () => void (text = null),
  };
}
