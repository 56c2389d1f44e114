import type { Rung } from '../../../../src/film/ladder.ts';
import type { Chooser } from './chooser.ts';
import type { Downloads } from './downloads.ts';
import type { Situation } from './situation.ts';
import type { Download, Track } from './track.ts';
import type { Fetch } from './wire.ts';

/** From an arrival to the next request: dash.js parses, appends and thinks. */
export const BETWEEN_MS = 10;
/** The same after an initialization segment, with the change of the representation before it. */
export const SWITCH_MS = 17;
/** dash.js 5.2: `scheduling.defaultTimeout`. */
const BUFFER_FULL_POLL_MS = 500;

/** What is fetched next, and when. */
export class Scheduler {
  readonly #situation: Situation;
  readonly #chooser: Chooser;
  readonly #downloads: Downloads;
  /** The viewer is so far behind what is live; undefined on demand. */
  readonly #liveDelay_s: number | undefined;

  constructor(situation: Situation, chooser: Chooser, downloads: Downloads, liveDelay_s: number | undefined) {
    this.#situation = situation;
    this.#chooser = chooser;
    this.#downloads = downloads;
    this.#liveDelay_s = liveDelay_s;
  }

  /** At the track's `wakes_ms`: does what is due. */
  wake(track: Track): void {
    const { download, initialization } = track;
    if (download) this.#downloading(track, download);
    else if (initialization) this.#initialized(track, initialization);
    else this.#schedule(track);
  }

  /** A track goes on from another place. */
  restart(track: Track, from_s: number): void {
    track.next = this.#situation.timeline.indexAt(from_s);
    track.bufferEnd_s = from_s;
    this.#soon(track);
  }

  #downloading(track: Track, download: Download): void {
    if (download.fetch.transfer.ends_ms <= this.#situation.now_ms) {
      this.#downloads.arrive(track, download);
      this.#soon(track);
      return;
    }
    const lower = this.#downloads.progress(track, download);
    if (lower) this.#become(track, lower);
  }

  #initialized(track: Track, fetch: Fetch): void {
    this.#downloads.initialized(track, fetch);
    track.schedule_ms = this.#situation.now_ms + SWITCH_MS + track.delay_ms;
    track.delay_ms = 0;
  }

  #soon(track: Track): void {
    track.schedule_ms = this.#situation.now_ms + BETWEEN_MS;
  }

  /** Asks for the next segment, unless the buffer is full. */
  #schedule(track: Track): void {
    const { now_ms, timeline, video } = this.#situation;
    const duration_s = timeline.durationOf(track.next);
    if (track.next >= timeline.count) {
      track.schedule_ms = Infinity;
      return;
    }
    if (this.#situation.isFull(track, duration_s)) {
      track.schedule_ms = now_ms + BUFFER_FULL_POLL_MS;
      return;
    }
    const made_ms = this.#madeAt_ms(track.next);
    if (made_ms > now_ms) {
      track.schedule_ms = made_ms;
      return;
    }
    if (track === video && track.asksRules) {
      const state = this.#situation.stateOf(track);
      const { rung, delay_ms } = this.#chooser.choose(state, track.rung, now_ms, duration_s);
      if (rung.id !== track.rung.id) {
        this.#switch(track, rung);
        track.delay_ms = delay_ms;
        return;
      }
      if (delay_ms > 0) {
        track.asksRules = false;
        track.schedule_ms = now_ms + delay_ms;
        return;
      }
    }
    this.#downloads.request(track);
  }

  #switch(track: Track, rung: Rung): void {
    const higher = rung.bitrate_kbps > track.rung.bitrate_kbps;
    if (higher && this.#chooser.replaces()) track.next = this.#replacedFrom(rung);
    this.#become(track, rung);
  }

  /** dash.js goes through a quality change and an initialization segment before it requests. */
  #become(track: Track, rung: Rung): void {
    track.rung = rung;
    track.asksRules = false;
    this.#downloads.initialize(track);
  }

  /**
   * dash.js 5.2's fast switch replaces what is buffered at a lower bitrate, from the very segment that plays: it means to
   * leave one and a half segments, but the duration of those of the representation that the rules have chosen is null.
   */
  #replacedFrom(rung: Rung): number {
    const { playback, timeline, video } = this.#situation;
    const { next, bitrates } = video;
    const index = timeline.indexAt(playback.playhead_s);
    const buffered = bitrates[index];
    return buffered !== undefined && index < next && buffered < rung.bitrate_kbps ? index : next;
  }

  /** Live, a segment is there when its last frame is; the viewer's clock began `liveDelay_s` behind. */
  #madeAt_ms(index: number): number {
    if (this.#liveDelay_s === undefined) return 0;
    return (this.#situation.timeline.startOf(index + 1) - this.#liveDelay_s) * 1000;
  }
}
