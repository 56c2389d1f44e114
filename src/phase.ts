import type { Seconds } from './units.ts';

/**
 * - `initial`: until playback first starts; unpaced, since a lower rate here is a longer play delay (Sammy §4.1).
 * - `playing`: paced.
 * - `recovery`: after a stall, or a seek that emptied the buffer; unpaced like the initial phase, since the
 *   viewer waits again, until the buffer is safe.
 */
export type Phase = 'initial' | 'playing' | 'recovery';

/** Less than this ahead of the playhead is an emptied buffer. */
export const EMPTY_BUFFER_S = 0.1;

export class PhaseMachine {
  #phase: Phase = 'initial';

  get phase(): Phase {
    return this.#phase;
  }

  playbackStarted(): void {
    if (this.#phase === 'initial') this.#phase = 'playing';
  }

  stalled(): void {
    if (this.#phase === 'playing') this.#phase = 'recovery';
  }

  /** A seek to a place with `bufferAhead` seconds already there. */
  sought(bufferAhead: Seconds): void {
    if (this.#phase === 'playing' && bufferAhead < EMPTY_BUFFER_S) this.#phase = 'recovery';
  }

  bufferIs(buffer: Seconds, safe: Seconds): void {
    if (this.#phase === 'recovery' && buffer >= safe) this.#phase = 'playing';
  }
}
