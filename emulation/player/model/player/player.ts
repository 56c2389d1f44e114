import type { PlaybackEvent } from '../../records/play.ts';
import { topRung } from '../../../../src/film/ladder.ts';
import { InitialThroughputHistory, sessionsAt } from '../../../../src/learning/history.ts';
import type { TextStorage } from '../../../../src/learning/text-storage.ts';
import { sessionSummary } from '../../../../src/session/summary.ts';
import { Sammy } from '../../../../src/session/sammy.ts';
import { kbps, milliseconds, seconds } from '../../../../src/units.ts';
import type { Receipt } from '../../../../src/wire/receipt.ts';
import type { Phase } from '../../../../src/decision.ts';
import type { PlayedSession, SimulatedResult } from '../simulated-session.ts';
import type { Chooser } from './chooser.ts';
import { Downloads } from './downloads.ts';
import { makeMemoryStorage } from '../../records/memory-storage.ts';
import { Playback } from './playback.ts';
import { SammyChooser } from './sammy-chooser.ts';
import { Scheduler } from './scheduler.ts';
import { readSettings } from './settings.ts';
import { Situation } from './situation.ts';
import { StockChooser } from './stock-chooser.ts';
import { Timeline } from './timeline.ts';
import { Track } from './track.ts';
import { getSizes } from './film.ts';
import type { Fetch, Wire } from './wire.ts';

/** The time that browser and dash.js need between the manifest and the requests for initialization segments. */
export const MANIFEST_MS = 40;
/** The time between a track's initialization segment and the request for its first segment. */
export const INITIALIZATION_MS = 45;
/** The processing time until the first segment is requested, without the network's time. */
export const START_MS = MANIFEST_MS + INITIALIZATION_MS;
/** Round trips for the manifest and the index, before the first segment. */
export const START_ROUND_TRIPS = 2;
/** Bytes of the manifest and the index. */
export const START_BYTES = 7000;
/** The first audio segment is requested this much later than the first video segment. */
const AUDIO_LATER_MS = 30;
/** The approximate interval of a browser's `timeupdate` events; the lab samples the buffer at the same interval. */
const TIME_UPDATE_MS = 250;

/**
 * One session, event by event: the player, its media element and its downloads. It has neither a clock nor a network:
 * the caller passes the time of each event, virtual or real.
 */
export class Player {
  readonly #end_ms: number;
  readonly #today_ms: number;
  readonly #sammy: Sammy;
  readonly #storage: TextStorage;
  readonly #chooser: Chooser;
  readonly #situation: Situation;
  readonly #downloads: Downloads;
  readonly #scheduler: Scheduler;
  readonly #buffer: [number, number][] = [];
  readonly #playback: PlaybackEvent[] = [];
  readonly #seeks: { readonly at_ms: number; readonly to_s: number }[];
  #sample_ms = TIME_UPDATE_MS;
  #playingAt_ms: number | null = null;

  /** `today_ms` is the session's start, ms since 1970; all other times count from the start. */
  constructor(session: PlayedSession, wire: Wire, today_ms: number) {
    const { film, arm, history = [], storage = makeMemoryStorage() } = session;
    const timeline = new Timeline(film);
    const settings = readSettings(session, timeline.end_s);
    const clock = { now_ms: 0 };
    const now = () => milliseconds(clock.now_ms);
    const today = () => milliseconds(today_ms + clock.now_ms);
    this.#end_ms = session.seconds * 1000;
    this.#today_ms = today_ms;
    this.#storage = storage;
    const remembered = new InitialThroughputHistory(storage);
    for (const throughput of history) remembered.add(kbps(throughput), today(), '');
    this.#sammy = new Sammy(
      { sizes: getSizes(film), ...arm.sammy, sidecar: getSizes(film) },
      { now, today, history: remembered, summary: sessionSummary },
    );
    const { video, audio } = film.ladders;
    this.#chooser =
      arm.sammy.abr === 'player'
        ? new StockChooser(
            {
              ladder: video,
              bufferTarget_s: settings.bufferTarget_s,
              bola: settings.bola,
              remembered_kbps: history.at(-1),
            },
            settings.fastSwitch,
          )
        : new SammyChooser(this.#sammy, video, settings.fastSwitch);
    this.#situation = new Situation(clock, settings, new Playback(session.playbackRate ?? 1), timeline, {
      video: new Track('video', video, this.#chooser.first, Infinity),
      audio: audio && new Track('audio', audio, topRung(audio), Infinity),
    });
    this.#downloads = new Downloads({
      film,
      situation: this.#situation,
      sammy: this.#sammy,
      chooser: this.#chooser,
      wire,
    });
    this.#scheduler = new Scheduler(this.#situation, this.#chooser, this.#downloads);
    this.#seeks = (session.seeks ?? []).map(({ at_s, to_s }) => ({ at_ms: at_s * 1000, to_s }));
  }

  /** Records the viewer's request for playback. */
  request(): void {
    this.#sammy.playbackRequested();
  }

  /** Records the receipt of an initialization segment that was fetched before the session's first segment. */
  recordReceipt(receipt: Receipt): void {
    this.#sammy.recordReceipt(receipt);
  }

  /** The ids of the tracks' first representations. */
  get representations(): string[] {
    return this.#situation.tracks.map(({ rung }) => rung.id);
  }

  /**
   * Starts all tracks once the manifest and the initialization segments have arrived. The first segments are requested
   * at `starts_ms` or later.
   */
  begin(starts_ms: number): void {
    const { video, audio } = this.#situation;
    video.schedule_ms = starts_ms;
    if (audio) audio.schedule_ms = starts_ms + AUDIO_LATER_MS;
  }

  /** Starts only the track with this first representation. */
  beginTrack(representation: string, starts_ms: number): void {
    for (const track of this.#situation.tracks)
      if (track.rung.id === representation) track.schedule_ms = starts_ms;
  }

  /** Null until playback began. */
  get playingAt_ms(): number | null {
    return this.#playingAt_ms;
  }

  /** The phase in which a segment in flight was requested. */
  getPhase(fetch: Fetch | undefined): Phase | undefined {
    return this.#downloads.getPhase(fetch);
  }

  get playback(): readonly PlaybackEvent[] {
    return this.#playback;
  }

  /** Ends the session and returns its results. `end_ms` is earlier than the planned end if the viewer leaves early. */
  end(end_ms = this.#end_ms): SimulatedResult {
    this.moveTo(end_ms);
    const { summary } = this.#sammy;
    if (!summary) throw new Error('the session has no summary');
    return {
      summary,
      decisions: this.#downloads.decisions,
      unpaced: this.#downloads.unpaced,
      buffer: this.#buffer,
      playback: this.#playback,
      playingAt_ms: this.#playingAt_ms,
      history: sessionsAt(this.#storage, milliseconds(this.#today_ms + end_ms), ''),
    };
  }

  /** The time of the next scheduled event, as far as it is known. */
  get next_ms(): number {
    const { playback, playableEnd_s } = this.#situation;
    const seek_ms = this.#seeks[0]?.at_ms ?? Infinity;
    return Math.min(playback.next_ms(playableEnd_s), this.#nextTrack.wakes_ms, seek_ms);
  }

  /** Runs the event that is due. `now_ms` must not be before `next_ms`. */
  runNextEvent(now_ms: number): void {
    const { playback, playableEnd_s } = this.#situation;
    const { next_ms } = this;
    const seek = this.#seeks[0];
    const playback_ms = playback.next_ms(playableEnd_s);
    const track = this.#nextTrack;
    this.moveTo(now_ms);
    if (next_ms === seek?.at_ms) this.#seek(seek.to_s);
    else if (next_ms === playback_ms) this.#changePlayback();
    else this.#scheduler.wake(track);
  }

  get #nextTrack(): Track {
    const { video, audio } = this.#situation;
    return audio && audio.wakes_ms < video.wakes_ms ? audio : video;
  }

  /** Advances the clock, and reports the playhead to the plug-in as often as a browser would. */
  moveTo(to_ms: number): void {
    const { playback, video } = this.#situation;
    while (this.#sample_ms <= to_ms) {
      this.#situation.moveTo(this.#sample_ms);
      this.#buffer.push([this.#sample_ms / 1000, this.#situation.getBuffer_s(video)]);
      if (playback.playing) this.#tellPlayhead();
      this.#sample_ms += TIME_UPDATE_MS;
    }
    this.#situation.moveTo(to_ms);
  }

  #tellPlayhead(): void {
    const { playback, playableEnd_s } = this.#situation;
    const { playhead_s } = playback;
    this.#sammy.playhead(seconds(playhead_s), () => seconds(Math.max(0, playableEnd_s - playhead_s)));
  }

  #changePlayback(): void {
    const { playback, now_ms } = this.#situation;
    const event = playback.change();
    this.#note(event);
    if (event === 'playing') {
      this.#playingAt_ms ??= now_ms;
      this.#sammy.playing();
      return;
    }
    this.#sammy.waiting();
  }

  #note(event: PlaybackEvent['event']): void {
    const { now_ms, video } = this.#situation;
    this.#playback.push({ t_s: now_ms / 1000, event, buffer_s: this.#situation.getBuffer_s(video) });
  }

  #seek(to_s: number): void {
    const { playback, playableEnd_s, now_ms, tracks, video } = this.#situation;
    this.#seeks.shift();
    this.#note('seeking');
    const buffered = to_s >= playback.playhead_s && to_s < playableEnd_s;
    this.#sammy.seeking(seconds(buffered ? playableEnd_s - to_s : 0));
    this.#chooser.recordSeek();
    playback.seek(to_s);
    if (buffered) {
      this.#downloads.checkSoon(video);
      playback.recordArrival(now_ms, playableEnd_s);
      return;
    }
    for (const track of tracks) {
      if (track.download) this.#downloads.abort(track, track.download);
      this.#scheduler.restart(track, to_s);
    }
  }
}
