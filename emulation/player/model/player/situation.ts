import { topRung } from '../../../../src/film/ladder.ts';
import type { MediaState } from '../../../../src/session/state.ts';
import { seconds } from '../../../../src/units.ts';
import { Playback } from './playback.ts';
import type { PlayerSettings } from './settings.ts';
import type { Timeline } from './timeline.ts';
import type { Track } from './track.ts';

/** The most by which an audio segment, which has whole audio frames, ends before the video segment. */
const FRAME_S = 0.01;
/** dash.js allows audio to be this far ahead of the video, s. */
const AUDIO_AHEAD_S = 1;

/** The state that all parts of the player share: the clock, the media element, and the buffers. */
export class Situation {
  readonly #clock: { now_ms: number };
  readonly playback: Playback;
  readonly settings: PlayerSettings;
  readonly timeline: Timeline;
  readonly video: Track;
  readonly audio: Track | undefined;

  constructor(
    clock: { now_ms: number },
    settings: PlayerSettings,
    playback: Playback,
    timeline: Timeline,
    tracks: { readonly video: Track; readonly audio: Track | undefined },
  ) {
    this.#clock = clock;
    this.settings = settings;
    this.playback = playback;
    this.timeline = timeline;
    this.video = tracks.video;
    this.audio = tracks.audio;
  }

  get tracks(): readonly Track[] {
    return this.audio ? [this.video, this.audio] : [this.video];
  }

  get now_ms(): number {
    return this.#clock.now_ms;
  }

  moveTo(now_ms: number): void {
    this.#clock.now_ms = now_ms;
    this.playback.advance(now_ms, this.playableEnd_s);
  }

  /** The end of the range for which all media types are buffered. */
  get playableEnd_s(): number {
    return this.audio ? Math.min(this.video.bufferEnd_s, this.audio.bufferEnd_s) : this.video.bufferEnd_s;
  }

  getBuffer_s(track: Track): number {
    return Math.max(0, track.bufferEnd_s - this.playback.playhead_s);
  }

  /** Whether another segment of `duration_s` would exceed the buffer's limit. */
  isFull(track: Track, duration_s: number): boolean {
    const { bufferTarget_s, maxBuffer_s } = this.settings;
    const buffer_s = this.getBuffer_s(track);
    // dash.js limits the audio buffer relative to the video buffer.
    if (track !== this.video)
      return buffer_s - FRAME_S >= Math.max(this.getBuffer_s(this.video) + AUDIO_AHEAD_S, duration_s);
    const target_s = topRung(track.ladder).id === track.rung.id ? maxBuffer_s : bufferTarget_s;
    return buffer_s + (target_s <= duration_s ? 0 : duration_s) >= target_s;
  }

  /** The player state for a track's decision; the next segment begins at `next_s`. */
  getState(track: Track, next_s = track.bufferEnd_s): MediaState {
    const { playhead_s } = this.playback;
    const { maxBuffer_s, bufferTarget_s, requestTimeout_s } = this.settings;
    return {
      playhead: seconds(playhead_s),
      mediaType: track.type,
      ladder: track.ladder,
      buffer: seconds(this.getBuffer_s(track)),
      playable: () => seconds(Math.max(0, this.playableEnd_s - playhead_s)),
      maxBuffer: seconds(maxBuffer_s),
      bufferTarget: seconds(bufferTarget_s),
      playbackRate: this.playback.rate,
      nextSegmentAt: seconds(next_s),
      sizes: undefined,
      lowLatency: false,
      requestTimeout: seconds(requestTimeout_s),
    };
  }
}
