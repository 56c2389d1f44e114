import { PageElement } from '../document/page-element.ts';
import { soon, type Host } from '../host.ts';
import type { MediaLimits, MediaSource, Player } from './media-source.ts';
import { TimeRanges, type Range } from './time-ranges.ts';

/** `readyState` of a media element (HTML §4.8.11.7). */
const [NOTHING, METADATA, CURRENT_DATA, FUTURE_DATA, ENOUGH_DATA] = [0, 1, 2, 3, 4] as const;
const STATE_EVENTS = ['emptied', 'loadedmetadata', 'loadeddata', 'canplay', 'canplaythrough'] as const;
/** The approximate interval of a browser's `timeupdate` events. */
const TIME_UPDATE_MS = 250;
/** A gap that playback ignores: a video's first sample may start slightly after 0. */
const NO_TIME_S = 0.1;
/** The tolerance for rounded times. */
const ROUNDED_S = 1e-6;

/** Finds the media source of an address from `URL.createObjectURL`. */
export type FindSource = (url: string) => MediaSource | undefined;

/**
 * `HTMLVideoElement` over a media source: a playhead that advances while there is something to play. Nothing is
 * decoded, and no frame is ever dropped.
 */
export class MediaElement extends PageElement implements Player {
  paused = true;
  ended = false;
  seeking = false;
  autoplay = false;
  muted = false;
  defaultMuted = false;
  volume = 1;
  controls = false;
  loop = false;
  preload = 'auto';
  defaultPlaybackRate = 1;
  disableRemotePlayback = false;
  networkState = 0;
  readyState = NOTHING as number;
  readonly error = null;
  readonly videoWidth = 1280;
  readonly videoHeight = 720;
  readonly #findSource: FindSource;
  readonly #frame_ms: number;
  #src = '';
  #source: MediaSource | undefined;
  /** The playhead position at time `#from_ms`. Since then it has advanced by `#pace` seconds of content per second. */
  #from_s = 0;
  #from_ms = 0;
  #pace = 0;
  #playbackRate = 1;
  #ahead: Range | undefined;
  #played: [number, number][] = [];
  #dry: (() => void) | undefined;
  #shown: (() => void) | undefined;
  #updates: (() => void) | undefined;
  #promised: { resolve: () => void; reject: (error: unknown) => void }[] = [];

  constructor(host: Host, tag: string, findSource: FindSource, { frame_ms }: Pick<MediaLimits, 'frame_ms'>) {
    super(host, tag);
    this.#findSource = findSource;
    this.#frame_ms = frame_ms;
  }

  get src(): string {
    return this.#src;
  }

  set src(src: string) {
    this.#src = src;
    this.load();
  }

  /** The `src` attribute, or else the `src` of the first `<source>`. */
  get currentSrc(): string {
    const source: (PageElement & { readonly src?: string }) | null = this.querySelector('source');
    return this.#src || (source?.src ?? '');
  }

  override removeAttribute(name: string): void {
    super.removeAttribute(name);
    if (name === 'src') this.#src = '';
  }

  load(): void {
    this.#source?.attach(undefined);
    for (const cancel of [this.#dry, this.#shown, this.#updates]) cancel?.();
    this.#dry = this.#shown = this.#updates = undefined;
    const had = this.readyState > NOTHING;
    [this.#from_s, this.#from_ms, this.#pace, this.#ahead] = [0, this.host.clock.now_ms, 0, undefined];
    [this.readyState, this.seeking, this.ended, this.#played] = [NOTHING, false, false, []];
    for (const { reject } of this.#promised.splice(0))
      reject(new DOMException('interrupted by a new load request', 'AbortError'));
    if (had) soon(this.host, () => this.fire('emptied'));
    const { currentSrc } = this;
    this.#source = currentSrc === '' ? undefined : this.#findSource(currentSrc);
    this.networkState = this.#source ? 2 : 0;
    if (!this.#source) return;
    this.#source.attach(this);
    soon(this.host, () => this.fire('loadstart'));
  }

  get duration(): number {
    return this.readyState >= METADATA ? (this.#source?.duration ?? NaN) : NaN;
  }

  get currentTime(): number {
    return this.#from_s + (this.#pace * (this.host.clock.now_ms - this.#from_ms)) / 1000;
  }

  set currentTime(to_s: number) {
    if (this.readyState === NOTHING) {
      this.#from_s = to_s;
      return;
    }
    this.#stand(Math.min(Math.max(0, to_s), this.duration || Infinity));
    this.#shown?.();
    this.#shown = undefined;
    this.seeking = true;
    this.ended = false;
    this.readyState = METADATA;
    soon(this.host, () => this.fire('seeking'));
    this.sourceChanged();
  }

  get playbackRate(): number {
    return this.#playbackRate;
  }

  set playbackRate(rate: number) {
    if (rate === this.#playbackRate) return;
    this.#playbackRate = rate;
    soon(this.host, () => this.fire('ratechange'));
    this.#move();
  }

  get buffered(): TimeRanges {
    return new TimeRanges(this.#source?.ranges ?? []);
  }

  get seekable(): TimeRanges {
    const { duration } = this;
    return new TimeRanges(duration > 0 ? [[0, duration]] : []);
  }

  get played(): TimeRanges {
    return new TimeRanges(this.#played);
  }

  play(): Promise<void> {
    const { builtins: own } = this.host;
    const promise = new own.Promise<void>((resolve, reject) => this.#promised.push({ resolve, reject }));
    if (this.paused) {
      this.paused = false;
      if (this.ended) this.currentTime = 0;
      soon(this.host, () => this.fire('play'));
      const waits = this.readyState < FUTURE_DATA;
      soon(this.host, () => this.fire(waits ? 'waiting' : 'playing'));
    }
    if (this.readyState >= FUTURE_DATA) this.#keepPromises();
    this.#move();
    return promise;
  }

  pause(): void {
    this.autoplay = false;
    if (this.paused) return;
    this.paused = true;
    this.#move();
    for (const { reject } of this.#promised.splice(0))
      reject(new DOMException('interrupted by a call to pause()', 'AbortError'));
    soon(this.host, () => {
      this.fire('timeupdate');
      this.fire('pause');
    });
  }

  canPlayType(): string {
    return 'probably';
  }

  getVideoPlaybackQuality() {
    const { clock } = this.host;
    const seconds = this.#played.reduce((sum, [from, to]) => sum + to - from, 0);
    return {
      creationTime: clock.now_ms,
      totalVideoFrames: Math.round(24 * seconds),
      droppedVideoFrames: 0,
      corruptedVideoFrames: 0,
    };
  }

  /** Called when the buffered ranges of the media source have changed. */
  sourceChanged(): void {
    const source = this.#source;
    if (!source?.initialized) return;
    if (this.readyState === NOTHING) {
      this.#become(METADATA);
      this.durationChanged();
    }
    const playhead_s = this.currentTime;
    this.#ahead = source.ranges.find(
      ([start, end]) => start <= playhead_s + NO_TIME_S && playhead_s < end - ROUNDED_S,
    );
    if (this.#ahead && this.readyState < FUTURE_DATA) {
      // The frame at the playhead becomes visible only after it has been decoded and drawn.
      this.#shown ??= soon(this.host, () => this.#show(), this.#frame_ms);
    } else if (!this.#ahead && this.readyState >= FUTURE_DATA) this.#runDry();
    this.#move();
  }

  durationChanged(): void {
    if (this.readyState > NOTHING) soon(this.host, () => this.fire('durationchange'));
  }

  /** Called when the frame at the playhead and the next frame are available. */
  #show(): void {
    this.#shown = undefined;
    if (!this.#ahead) return;
    if (this.seeking) {
      this.seeking = false;
      soon(this.host, () => {
        this.fire('timeupdate');
        this.fire('seeked');
      });
    }
    for (const state of [CURRENT_DATA, FUTURE_DATA, ENOUGH_DATA]) this.#become(state);
    if (this.paused && this.autoplay) {
      this.paused = false;
      soon(this.host, () => this.fire('play'));
    }
    if (!this.paused) {
      soon(this.host, () => this.fire('playing'));
      this.#keepPromises();
    }
    this.#move();
  }

  #keepPromises(): void {
    for (const { resolve } of this.#promised.splice(0)) resolve();
  }

  #become(state: number): void {
    if (state <= this.readyState) return;
    this.readyState = state;
    soon(this.host, () => this.fire(STATE_EVENTS[state] ?? ''));
  }

  /** Called when nothing is left to play. */
  #runDry(): void {
    const source = this.#source;
    const end_s = source?.duration ?? NaN;
    if (source?.readyState === 'ended' && this.currentTime >= end_s - NO_TIME_S) {
      this.#stand(end_s);
      this.ended = true;
      this.#move();
      soon(this.host, () => {
        this.fire('timeupdate');
        if (!this.paused) {
          this.paused = true;
          this.fire('pause');
        }
        this.fire('ended');
      });
      return;
    }
    this.readyState = CURRENT_DATA;
    this.#move();
    soon(this.host, () => {
      this.fire('timeupdate');
      if (!this.paused) this.fire('waiting');
    });
  }

  /** Sets the playhead, and notes the range that has been played until now. */
  #stand(at_s: number): void {
    const { now_ms } = this.host.clock;
    if (this.#pace > 0) this.#note(this.#from_s, this.currentTime);
    [this.#from_s, this.#from_ms] = [at_s, now_ms];
  }

  /** Lets the playhead advance or stops it, according to the element's state. */
  #move(): void {
    const moves = !this.paused && !this.ended && !this.seeking && this.readyState >= FUTURE_DATA;
    const pace = moves ? this.#playbackRate : 0;
    const playhead_s = this.currentTime;
    this.#stand(playhead_s);
    const began = this.#pace === 0 && pace > 0;
    this.#pace = pace;
    this.#dry?.();
    this.#dry = undefined;
    if (pace > 0 && this.#ahead) {
      const [, end_s] = this.#ahead;
      this.#dry = soon(this.host, () => this.#reach(end_s), (1000 * (end_s - playhead_s)) / pace);
    }
    if (pace === 0) {
      this.#updates?.();
      this.#updates = undefined;
    } else if (began) this.#update();
  }

  /** Called when the playhead has reached the end of the buffer that was known when this call was scheduled. */
  #reach(end_s: number): void {
    this.#stand(end_s);
    this.sourceChanged();
  }

  #update(): void {
    this.#updates = soon(
      this.host,
      () => {
        this.#update();
        this.fire('timeupdate');
      },
      TIME_UPDATE_MS,
    );
  }

  #note(from_s: number, to_s: number): void {
    const last = this.#played.at(-1);
    if (last && from_s >= last[0] && from_s <= last[1] + ROUNDED_S) last[1] = Math.max(last[1], to_s);
    else if (to_s > from_s) this.#played.push([from_s, to_s]);
  }
}
