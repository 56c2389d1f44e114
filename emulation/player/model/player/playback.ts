/** The time that a media element needs from the arrival of data until the frame is shown. */
const FRAME_MS = 7;
/** A buffer below this counts as empty, because times are rounded doubles. */
const NOTHING_S = 1e-9;

/** The media element: its playhead advances while the buffer has content. */
export class Playback {
  #playhead_s = 0;
  /**
   * The playhead at its last start or seek. Positions are computed from this position and `#from_ms`, not step by step,
   * so that rounding errors do not depend on how often `advance` is called.
   */
  #from_s = 0;
  /** The time of the last start or seek. */
  #from_ms = 0;
  #now_ms = 0;
  #startsAt_ms = Infinity;
  playing = false;
  /** Seconds of content that are played per second. */
  readonly rate: number;

  constructor(rate: number) {
    this.rate = rate;
  }

  /** Moves the playhead to `now_ms`, but not beyond the buffer's end. */
  advance(now_ms: number, bufferEnd_s: number): void {
    this.#now_ms = now_ms;
    if (this.playing)
      this.#playhead_s = Math.min(bufferEnd_s, this.#from_s + (this.rate * (now_ms - this.#from_ms)) / 1000);
  }

  get playhead_s(): number {
    return this.#playhead_s;
  }

  /** When playback next stalls or starts. */
  next_ms(bufferEnd_s: number): number {
    return this.playing
      ? Math.max(this.#now_ms, this.#from_ms + ((bufferEnd_s - this.#from_s) * 1000) / this.rate)
      : this.#startsAt_ms;
  }

  /** Records an arrival: playback begins shortly after there is something to play. */
  recordArrival(now_ms: number, bufferEnd_s: number): void {
    if (this.playing || bufferEnd_s - this.#playhead_s <= NOTHING_S) return;
    this.#startsAt_ms = Math.min(this.#startsAt_ms, now_ms + FRAME_MS);
  }

  /** Starts playback, or stalls it. Call it at `next_ms`. */
  change(): 'playing' | 'waiting' {
    this.playing = !this.playing;
    this.#startsAt_ms = Infinity;
    this.#from_s = this.#playhead_s;
    this.#from_ms = this.#now_ms;
    return this.playing ? 'playing' : 'waiting';
  }

  seek(to_s: number): void {
    this.#playhead_s = to_s;
    this.playing = false;
    this.#startsAt_ms = Infinity;
  }
}
