import { seededRandom } from '../../report/statistics/random.ts';
import type { PlaybackEvent } from '../../sessions/playback-event.ts';
import { topOf } from '../../../src/film/ladder.ts';
import { InitialThroughputHistory, sessionsAt } from '../../../src/learning/history.ts';
import { sessionSummary } from '../../../src/session/summary.ts';
import { Sammy } from '../../../src/session/sammy.ts';
import { kbps, milliseconds, seconds } from '../../../src/units.ts';
import { Bottleneck } from '../network/bottleneck.ts';
import { congestionControlNamed } from '../network/congestion/index.ts';
import { ConnectionPool } from '../network/pool.ts';
import type { SimulatedResult, SimulatedSession } from '../simulated-session.ts';
import type { Chooser } from './chooser.ts';
import { Downloads } from './downloads.ts';
import { Playback } from './playback.ts';
import { SammyChooser } from './sammy-chooser.ts';
import { Scheduler } from './scheduler.ts';
import { settingsOf } from './settings.ts';
import { Situation } from './situation.ts';
import { StockChooser } from './stock-chooser.ts';
import { textMemory } from './text-memory.ts';
import { Timeline } from './timeline.ts';
import { Track } from './track.ts';
import { sizesOf } from './film.ts';

/** Page, manifest and index, of which so many round trips and bytes, until the first segment is requested. */
const START_MS = 85;
const START_ROUND_TRIPS = 2;
const START_BYTES = 7000;
/** Sound comes a little later. */
const AUDIO_LATER_MS = 30;
/** Browsers fire `timeupdate` about so often; the lab samples the buffer as often. */
const TIME_UPDATE_MS = 250;
/** So many events at one time are a mistake of the simulator. */
const MOST_EVENTS = 10_000;
/** The day on which all simulated sessions are played, ms since 1970. */
const TODAY_MS = 1_700_000_000_000;

/** The player, its media element, its downloads, and the network: one session, event by event. */
export class SimulatedPlayer {
  readonly #end_ms: number;
  readonly #sammy: Sammy;
  readonly #memory = textMemory();
  readonly #chooser: Chooser;
  readonly #pool: ConnectionPool;
  readonly #situation: Situation;
  readonly #downloads: Downloads;
  readonly #scheduler: Scheduler;
  readonly #buffer: [number, number][] = [];
  readonly #playback: PlaybackEvent[] = [];
  readonly #seeks: { readonly at_ms: number; readonly to_s: number }[];
  #sample_ms = TIME_UPDATE_MS;
  /** The latest event's time, and how many came since that were no later. */
  #last_ms = -1;
  #events = 0;
  #playingAt_ms: number | null = null;

  constructor(session: SimulatedSession) {
    const { film, network, arm, history = [] } = session;
    const timeline = new Timeline(film);
    const settings = settingsOf(session, timeline.end_s);
    const clock = { now_ms: 0 };
    const now = () => milliseconds(clock.now_ms);
    const today = () => milliseconds(TODAY_MS + clock.now_ms);
    this.#end_ms = session.seconds * 1000;
    const remembered = new InitialThroughputHistory(this.#memory);
    for (const throughput of history) remembered.add(kbps(throughput), today(), '');
    this.#sammy = new Sammy(
      { sizes: sizesOf(film), ...arm.sammy, sidecar: film.sidecar },
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
        : new SammyChooser(this.#sammy, video);
    const starts_ms =
      START_MS + START_ROUND_TRIPS * network.rtt_ms + network.capacity.carried(0, START_BYTES);
    this.#situation = new Situation(clock, settings, new Playback(session.playbackRate ?? 1), timeline, {
      video: new Track('video', video, this.#chooser.first, starts_ms),
      audio: audio && new Track('audio', audio, topOf(audio), starts_ms + AUDIO_LATER_MS),
    });
    this.#pool = this.#connections(session);
    this.#downloads = new Downloads({
      film,
      situation: this.#situation,
      sammy: this.#sammy,
      chooser: this.#chooser,
      pool: this.#pool,
      congestionControl: network.congestionControl ?? 'reno',
      rtt_ms: network.rtt_ms,
      goodputOfPace: network.goodputOfPace ?? 1,
    });
    this.#scheduler = new Scheduler(this.#situation, this.#chooser, this.#downloads, session.liveDelay_s);
    this.#seeks = (session.seeks ?? []).map(({ at_s, to_s }) => ({ at_ms: at_s * 1000, to_s }));
  }

  #connections({ network, seed = 1, observe }: SimulatedSession): ConnectionPool {
    return new ConnectionPool(
      {
        bottleneck: new Bottleneck(network.capacity, network.queue_bytes),
        base_ms: network.rtt_ms,
        loss: network.loss ?? 0,
        random: seededRandom(seed),
        observe: observe && ((batch) => observe(batch, this.#downloads.phaseOf(batch.connection))),
      },
      congestionControlNamed(network.congestionControl ?? 'reno'),
    );
  }

  play(): SimulatedResult {
    this.#sammy.playbackRequested();
    while (this.#step()) {
      // One event after the other.
    }
    this.#advance(this.#end_ms);
    const { summary } = this.#sammy;
    if (!summary) throw new Error('the session has no summary');
    return {
      summary,
      decisions: this.#downloads.decisions,
      buffer: this.#buffer,
      playback: this.#playback,
      playingAt_ms: this.#playingAt_ms,
      history: sessionsAt(this.#memory, milliseconds(TODAY_MS + this.#end_ms), ''),
    };
  }

  /** The next event, unless there is none before the session's end. */
  #step(): boolean {
    const { playback, playableEnd_s, video, audio } = this.#situation;
    const sender = this.#pool.next;
    const playback_ms = playback.next_ms(playableEnd_s);
    const seek = this.#seeks[0];
    const track = audio && audio.wakes_ms < video.wakes_ms ? audio : video;
    const player_ms = Math.min(playback_ms, track.wakes_ms, seek?.at_ms ?? Infinity);
    this.#requireProgress(Math.min(player_ms, sender?.next_ms ?? Infinity));
    if (sender && sender.next_ms <= player_ms) {
      if (sender.next_ms >= this.#end_ms) return false;
      sender.sendBatch();
      return true;
    }
    if (player_ms >= this.#end_ms) return false;
    this.#advance(player_ms);
    if (player_ms === seek?.at_ms) this.#seek(seek.to_s);
    else if (player_ms === playback_ms) this.#changePlayback();
    else this.#scheduler.wake(track);
    return true;
  }

  /** Throws an Error where virtual time stands still, so that every session ends. */
  #requireProgress(event_ms: number): void {
    if (event_ms > this.#last_ms) {
      this.#last_ms = event_ms;
      this.#events = 0;
    } else if (++this.#events > MOST_EVENTS)
      throw new Error(`the simulation stands still at ${(this.#last_ms / 1000).toFixed(3)} s`);
  }

  /** The clock goes on; the plug-in hears of the playhead as often as a browser tells it. */
  #advance(to_ms: number): void {
    const { playback, video } = this.#situation;
    while (this.#sample_ms <= to_ms) {
      this.#situation.moveTo(this.#sample_ms);
      this.#buffer.push([this.#sample_ms / 1000, this.#situation.bufferOf(video)]);
      if (playback.playing) this.#tellPlayhead();
      this.#sample_ms += TIME_UPDATE_MS;
    }
    this.#situation.moveTo(to_ms);
  }

  #tellPlayhead(): void {
    const { playback, playableEnd_s } = this.#situation;
    const { playhead_s } = playback;
    this.#sammy.playhead(seconds(playhead_s), seconds(Math.max(0, playableEnd_s - playhead_s)));
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
    this.#playback.push({ t_s: now_ms / 1000, event, buffer_s: this.#situation.bufferOf(video) });
  }

  #seek(to_s: number): void {
    const { playback, playableEnd_s, now_ms, tracks, video } = this.#situation;
    this.#seeks.shift();
    this.#note('seeking');
    const buffered = to_s >= playback.playhead_s && to_s < playableEnd_s;
    this.#sammy.seeking(seconds(buffered ? playableEnd_s - to_s : 0));
    this.#chooser.sought();
    playback.seek(to_s);
    if (buffered) {
      this.#downloads.lookAgain(video);
      playback.filled(now_ms, playableEnd_s);
      return;
    }
    for (const track of tracks) {
      if (track.download) this.#downloads.giveUp(track, track.download);
      this.#scheduler.restart(track, to_s);
    }
  }
}
