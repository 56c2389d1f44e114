import { leavesAfter_s, PATIENCES } from '../../light/patience.ts';
import { seenOf } from '../../light/seen-of.ts';
import type { Play, PlaybackEvent } from '../../records/play.ts';

/** A viewer's stay, from coming to leaving. */
export class Stay {
  readonly #play: Pick<Play, 'seconds' | 'patience'>;
  readonly #playback: readonly PlaybackEvent[];
  /** Since the viewer came. */
  readonly #now_s: () => number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #leave: () => void = () => undefined;

  constructor(
    play: Pick<Play, 'seconds' | 'patience'>,
    playback: readonly PlaybackEvent[],
    now_s: () => number,
  ) {
    this.#play = play;
    this.#playback = playback;
    this.#now_s = now_s;
  }

  /** Resolves when the viewer leaves. */
  over(): Promise<void> {
    return new Promise((resolve) => {
      this.#leave = resolve;
      this.#wait();
    });
  }

  /** There is more to see in `playback`. */
  look(): void {
    if (this.#play.patience) this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#leave(), 1000 * (this.#leaves_s() - this.#now_s()));
  }

  #leaves_s(): number {
    const { seconds, patience } = this.#play;
    if (!patience) return seconds;
    const { of, rank } = patience;
    return leavesAfter_s({ watch_s: seconds, rank, patience: PATIENCES[of] }, seenOf(this.#playback));
  }
}
