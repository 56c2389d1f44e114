import { leavingTime_s, PATIENCES } from '../../light/patience.ts';
import { summarizeStalls } from '../../light/summarize-stalls.ts';
import type { Play, PlaybackEvent } from '../../records/play.ts';

/** Decides when a viewer leaves the session. */
export class ViewerStay {
  readonly #play: Pick<Play, 'seconds' | 'patience'>;
  readonly #playback: readonly PlaybackEvent[];
  /** Seconds since the viewer arrived. */
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
  waitForEnd(): Promise<void> {
    return new Promise((resolve) => {
      this.#leave = resolve;
      this.#wait();
    });
  }

  /** Re-evaluates the leaving time after a new event in `playback`. */
  update(): void {
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
    return leavingTime_s(
      { watch_s: seconds, rank, patience: PATIENCES[of] },
      summarizeStalls(this.#playback),
    );
  }
}
