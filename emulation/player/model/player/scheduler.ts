import type { Rung } from '../../../../src/film/ladder.ts';
import type { Chooser } from './chooser.ts';
import type { Downloads } from './downloads.ts';
import type { Situation } from './situation.ts';
import type { Download, Track } from './track.ts';
import type { Fetch } from './wire.ts';

/** The time from an arrival to the next request, in which dash.js parses and appends the segment and runs its rules. */
export const PROCESSING_MS = 10;
/** `PROCESSING_MS` after a change of representation, when dash.js processes an initialization segment as well. */
export const SWITCH_MS = 17;
/** The interval at which dash.js 5.2 checks whether a full buffer has room (`scheduling.defaultTimeout`). */
const BUFFER_FULL_POLL_MS = 500;

/** Decides which segment is fetched next, and at what time. */
export class Scheduler {
  readonly #situation: Situation;
  readonly #chooser: Chooser;
  readonly #downloads: Downloads;

  constructor(situation: Situation, chooser: Chooser, downloads: Downloads) {
    this.#situation = situation;
    this.#chooser = chooser;
    this.#downloads = downloads;
  }

  /** Performs the step that is due at the track's `wakes_ms`. */
  wake(track: Track): void {
    const { download, initialization } = track;
    if (download) this.#downloading(track, download);
    else if (initialization) this.#initialized(track, initialization);
    else this.#schedule(track);
  }

  /** Restarts a track at another position. */
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
    const lower = this.#downloads.checkProgress(track, download);
    if (lower) this.#become(track, lower);
  }

  #initialized(track: Track, fetch: Fetch): void {
    this.#downloads.initialized(track, fetch);
    track.schedule_ms = this.#situation.now_ms + SWITCH_MS + track.delay_ms;
    track.delay_ms = 0;
  }

  #soon(track: Track): void {
    track.schedule_ms = this.#situation.now_ms + PROCESSING_MS;
  }

  /** Requests the next segment, unless the buffer is full. */
  #schedule(track: Track): void {
    const { now_ms, timeline, video } = this.#situation;
    const duration_s = timeline.getDuration_s(track.next);
    if (track.next >= timeline.count) {
      track.schedule_ms = Infinity;
      return;
    }
    if (this.#situation.isFull(track, duration_s)) {
      track.schedule_ms = now_ms + BUFFER_FULL_POLL_MS;
      return;
    }
    if (track === video && track.needsChoice) {
      const state = this.#situation.getState(track);
      const { rung, delay_ms } = this.#chooser.choose(state, track.rung, now_ms, duration_s);
      if (rung.id !== track.rung.id) {
        this.#switch(track, rung);
        track.delay_ms = delay_ms;
        return;
      }
      if (delay_ms > 0) {
        track.needsChoice = false;
        track.schedule_ms = now_ms + delay_ms;
        return;
      }
    }
    this.#downloads.request(track);
  }

  #switch(track: Track, rung: Rung): void {
    const higher = rung.bitrate_kbps > track.rung.bitrate_kbps;
    if (higher && this.#chooser.replacesBuffer()) track.next = this.#replacedFrom(rung);
    this.#become(track, rung);
  }

  /** Before the request, dash.js changes the quality and fetches an initialization segment. */
  #become(track: Track, rung: Rung): void {
    track.rung = rung;
    track.needsChoice = false;
    this.#downloads.initialize(track);
  }

  /**
   * Returns the position from which dash.js 5.2's fast switch replaces buffered segments of a lower bitrate: the start
   * of the segment that plays. dash.js intends to keep one and a half segments, but it multiplies by a segment duration
   * that is null.
   */
  #replacedFrom(rung: Rung): number {
    const { playback, timeline, video } = this.#situation;
    const { next, bitrates } = video;
    const index = timeline.indexAt(playback.playhead_s);
    const buffered = bitrates[index];
    return buffered !== undefined && index < next && buffered < rung.bitrate_kbps ? index : next;
  }
}
