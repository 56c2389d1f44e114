/** The time from the arrival of the data that a media element needs until its frame is shown. */
const FRAME_MS = 7;
/** Less buffer than this counts as none, since times are rounded doubles. */
const NOTHING_S = 1e-9;

/** The media element: its playhead runs while there is something to play. */
export class Playback {
  #playhead_s = 0;
  /** The playhead at its last start or seek, and when that was: how often it is looked at changes nothing. */
  #from_s = 0;
  #from_ms = 0;
  #now_ms = 0;
  #startsAt_ms = Infinity;
  playing = false;
  /** Content seconds a second. */
  readonly rate: number;

  constructor(rate: number) {
    this.rate = rate;
  }

  /** The playhead at `now_ms`, not beyond what is buffered. */
  advance(now_ms: number, bufferEnd_s: number): void {
    this.#now_ms = now_ms;
    if (this.playing)
      this.#playhead_s = Math.min(bufferEnd_s, this.#from_s + (this.rate * (now_ms - this.#from_ms)) / 1000);
  }

  get playhead_s(): number {
    return this.#playhead_s;
  }

  /** When it runs dry, or begins to play. */
  next_ms(bufferEnd_s: number): number {
    return this.playing
      ? Math.max(this.#now_ms, this.#from_ms + ((bufferEnd_s - this.#from_s) * 1000) / this.rate)
      : this.#startsAt_ms;
  }

  /** Something has arrived: playback begins shortly after there is something to play. */
  filled(now_ms: number, bufferEnd_s: number): void {
    if (this.playing || bufferEnd_s - this.#playhead_s <= NOTHING_S) return;
    this.#startsAt_ms = Math.min(this.#startsAt_ms, now_ms + FRAME_MS);
  }

  /** At `next_ms`: what happens. */
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
