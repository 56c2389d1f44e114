import type { CompletedDecision, Decision } from '../../src/decision.ts';
import { makeLadder, type Ladder, type Rung } from '../../src/film/ladder.ts';
import type { SammyOptions } from '../../src/options.ts';
import { Sammy } from '../../src/session/sammy.ts';
import type { MediaState } from '../../src/session/state.ts';
import type { Sidecar } from '../../src/film/sidecar.ts';
import type { SessionSummary } from '../../src/session/summary.ts';
import { bytes, bytesAt, kbps, milliseconds, seconds } from '../../src/units.ts';
import type { LinkBytes } from './rates.ts';

/**
 * The plug-in's own core in a model of player and network that takes milliseconds: for looking for a policy, and for
 * asking what one would do on a hundred networks. The lab then tells whether it is true.
 *
 * The clock ticks in milliseconds. The server sends at its pace, or all at once; what it has sent waits at the link,
 * without limit. Video only; one request at a time; no congestion control and no loss.
 */
export interface SimulatedSession {
  readonly options: SammyOptions;
  readonly film: Sidecar;
  /** Of the film's video representations: their nominal bitrates by name. */
  readonly bitrates_kbps: Readonly<Record<string, number>>;
  readonly link: LinkBytes;
  readonly rtt_ms: number;
  readonly seconds: number;
}

export interface SimulatedResult {
  readonly summary: SessionSummary;
  readonly decisions: readonly CompletedDecision[];
  /** What could be played, from 20 s on. */
  readonly leastBuffer_s: number;
}

/** Of a packet, the share that is content. The link counts its headers too; TCP's own pacing, which the lab has, does not. */
const CONTENT_OF_PACKET = 1448 / 1500;
/** Manifest and initialization segments, and from the first segment's arrival to its first frame. */
const START_MS = 50;
const FIRST_FRAME_MS = 50;
/** From an arrival to the next request. */
const BETWEEN_MS = 10;
/** dash.js 5.2: `bufferTimeAtTopQuality`, `bufferTimeDefault`, `scheduling.defaultTimeout`. */
const BUFFER_AT_TOP_S = 30;
const BUFFER_S = 18;
const BUFFER_FULL_POLL_MS = 500;
/** How often dash.js looks whether to abandon a download, and tells its playhead. */
const PROGRESS_MS = 100;
const PLAYHEAD_MS = 250;
const LEAST_BUFFER_FROM_MS = 20_000;

interface Download {
  readonly decision: Decision;
  readonly rung: Rung;
  readonly size: number;
  readonly since_ms: number;
  sent: number;
  arrived: number;
}

/** Plays one session from beginning to end. Throws an Error for a film without video. */
export function simulateSession(session: SimulatedSession): SimulatedResult {
  const player = new SimulatedPlayer(session);
  for (let now_ms = 0; now_ms <= session.seconds * 1000; now_ms++) player.tick(now_ms);
  return player.result;
}

/** The player, the request that it has under way, and the network that carries it. */
class SimulatedPlayer {
  readonly #session: SimulatedSession;
  readonly #ladder: Ladder;
  readonly #sammy: Sammy;
  /** When each segment begins, and the last one ends. */
  readonly #starts_s: readonly number[];
  readonly #decisions: CompletedDecision[] = [];
  /** Of the segments that are buffered, by index. */
  readonly #bitrates: number[] = [];
  #now_ms = 0;
  /** Index of the segment to be requested next, or under way. */
  #next = 0;
  #bufferEnd_s = 0;
  #playhead_s = 0;
  #playing = false;
  #playsFrom_ms = Infinity;
  #download: Download | undefined;
  #requestAt_ms = START_MS;
  #lastRung: Rung;
  #leastBuffer_s = Infinity;
  #noHigherUntil_ms = 0;

  constructor(session: SimulatedSession) {
    this.#session = session;
    const ladder = makeLadder(
      Object.entries(session.bitrates_kbps).map(([id, rate]) => ({ id, bandwidth: rate * 1000 })),
    );
    if (!ladder) throw new Error('the film has no video representations');
    this.#ladder = ladder;
    this.#lastRung = ladder[0];
    const starts_s = [0];
    for (const duration_s of session.film.segment_duration_s)
      starts_s.push((starts_s.at(-1) ?? 0) + duration_s);
    this.#starts_s = starts_s;
    const now = () => milliseconds(this.#now_ms);
    this.#sammy = new Sammy({ ...session.options, sidecar: session.film }, { now, today: now });
    this.#sammy.playbackRequested();
  }

  get result(): SimulatedResult {
    return {
      summary: this.#sammy.summary,
      decisions: this.#decisions,
      leastBuffer_s: this.#leastBuffer_s,
    };
  }

  /** One millisecond: `now_ms` counts up by one from call to call. */
  tick(now_ms: number): void {
    this.#now_ms = now_ms;
    if (this.#download) this.#receive(this.#download);
    this.#play();
    if (!this.#download) {
      if (now_ms >= this.#requestAt_ms && this.#next < this.#session.film.segment_duration_s.length) {
        this.#schedule();
      }
    } else if (this.#download.arrived >= this.#download.size) this.#arrive(this.#download);
    else if ((now_ms - this.#download.since_ms) % PROGRESS_MS === 0) this.#reconsider(this.#download);
  }

  /** The network, in the millisecond that ends now. */
  #receive(download: Download): void {
    const { link, rtt_ms } = this.#session;
    if (this.#now_ms <= download.since_ms + rtt_ms) return;
    const pace = download.decision.requested_kbps;
    const sends = pace === null ? Infinity : bytesAt(kbps(pace), seconds(1e-3));
    download.sent = Math.min(download.size, download.sent + sends);
    const carried = link(this.#now_ms - 1) * CONTENT_OF_PACKET;
    download.arrived = Math.min(download.sent, download.arrived + carried);
  }

  #play(): void {
    if (this.#playing) this.#playhead_s = Math.min(this.#bufferEnd_s, this.#playhead_s + 1e-3);
    if (this.#playing && this.#buffer_s < 1e-9) {
      this.#playing = false;
      this.#playsFrom_ms = Infinity;
      this.#sammy.waiting();
    }
    if (this.#now_ms >= this.#playsFrom_ms && !this.#playing) {
      this.#playing = true;
      this.#sammy.playing();
    }
    if (this.#now_ms % PLAYHEAD_MS === 0) {
      this.#sammy.playhead(seconds(this.#playhead_s), seconds(this.#buffer_s));
    }
    if (this.#now_ms >= LEAST_BUFFER_FROM_MS) {
      this.#leastBuffer_s = Math.min(this.#leastBuffer_s, this.#buffer_s);
    }
  }

  /** A segment is there. */
  #arrive(download: Download): void {
    this.#bitrates[this.#next] = download.rung.bitrate_kbps;
    this.#next += 1;
    this.#bufferEnd_s = Math.max(this.#bufferEnd_s, this.#starts_s[this.#next] ?? 0);
    if (!this.#playing) this.#playsFrom_ms = Math.min(this.#playsFrom_ms, this.#now_ms + FIRST_FRAME_MS);
    this.#end(download, 'completed');
    this.#requestAt_ms = this.#now_ms + BETWEEN_MS;
  }

  /** Gives the download up where the plug-in says so. */
  #reconsider(download: Download): void {
    const pace = download.decision.requested_kbps;
    const state = { ...this.#state, nextSegmentAt: seconds(this.#starts_s[this.#next] ?? 0) };
    const lower = this.#sammy.chooseAbandonment(state, download.rung, {
      loaded: bytes(download.arrived),
      total: bytes(download.size),
      elapsed: seconds((this.#now_ms - download.since_ms) / 1000),
      pace: pace === null ? undefined : kbps(pace),
    });
    if (!lower) return;
    this.#end(download, 'abandoned');
    this.#noHigherUntil_ms = this.#now_ms + this.#nextDuration_s * 1000;
    this.#request(lower);
  }

  /** Asks for the next segment, unless the buffer is full. */
  #schedule(): void {
    const target_s = this.#lastRung === this.#ladder.at(-1) ? BUFFER_AT_TOP_S : BUFFER_S;
    if (this.#buffer_s + this.#nextDuration_s >= target_s) {
      this.#requestAt_ms = this.#now_ms + BUFFER_FULL_POLL_MS;
      return;
    }
    const { rung } = this.#sammy.chooseRung(this.#state);
    const higher = rung.bitrate_kbps > this.#lastRung.bitrate_kbps;
    if (higher && this.#now_ms < this.#noHigherUntil_ms) {
      this.#request(this.#lastRung);
      return;
    }
    const replaces = this.#sammy.replacementPays(this.#state, rung);
    if (higher && replaces) this.#next = Math.min(this.#next, this.#replacedFrom(rung));
    this.#request(rung);
  }

  #request(rung: Rung): void {
    const size = this.#session.film.representations[rung.id]?.segment_bytes[this.#next] ?? 0;
    const start_s = this.#starts_s[this.#next] ?? 0;
    const state = { ...this.#state, nextSegmentAt: seconds(start_s) };
    const decision = this.#sammy.decide(state, { rung, start_s, duration_s: this.#nextDuration_s });
    this.#download = { decision, rung, size, since_ms: this.#now_ms, sent: 0, arrived: 0 };
    this.#lastRung = rung;
  }

  #end(ended: Download, outcome: 'completed' | 'abandoned'): void {
    this.#download = undefined;
    const { requested_kbps } = ended.decision;
    this.#decisions.push(
      this.#sammy.complete(ended.decision, {
        outcome,
        size_bytes: Math.round(ended.arrived),
        download_ms: this.#now_ms - ended.since_ms,
        receipt: {
          pace_kbps: requested_kbps === null ? null : kbps(requested_kbps),
          min_rtt_ms: milliseconds(this.#session.rtt_ms),
        },
      }),
    );
  }

  /**
   * dash.js 5.2's fast switch (`_prepareForFastQualitySwitch`): from one and a half segments ahead of the playhead on,
   * if so much is buffered there, at a lower bitrate.
   */
  #replacedFrom(rung: Rung): number {
    const ahead_s = 1.5 * this.#nextDuration_s;
    const index = this.#starts_s.findLastIndex((start_s) => start_s <= this.#playhead_s + ahead_s);
    const buffered = this.#bitrates[index];
    const replaceable = this.#buffer_s >= ahead_s && buffered !== undefined;
    return replaceable && buffered < rung.bitrate_kbps ? index : this.#next;
  }

  get #buffer_s(): number {
    return this.#bufferEnd_s - this.#playhead_s;
  }

  get #nextDuration_s(): number {
    return this.#session.film.segment_duration_s[this.#next] ?? 0;
  }

  get #state(): MediaState {
    const buffer = seconds(this.#buffer_s);
    return {
      playhead: seconds(this.#playhead_s),
      mediaType: 'video',
      ladder: this.#ladder,
      buffer,
      playable: buffer,
      maxBuffer: seconds(BUFFER_AT_TOP_S),
      bufferTarget: seconds(BUFFER_S),
      playbackRate: 1,
      nextSegmentAt: seconds(this.#bufferEnd_s),
      lowLatency: false,
    };
  }
}
