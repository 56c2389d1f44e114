import type { Seconds } from './units.ts';

/**
 * - `initial`: until playback first starts; unpaced, since a lower rate here is a longer play delay (Sammy §4.1).
 * - `playing`: paced.
 * - `recovery`: after a stall, or a seek that (nearly) emptied the buffer; unpaced like the initial phase, since the
 *   viewer waits again, until the buffer is safe. So is a request that replaces the very segment that plays by a better
 *   one, as dash.js does on a switch up: most sessions begin with one.
 */
export type Phase = 'initial' | 'playing' | 'recovery';

export interface PhaseChange {
  readonly phase: Phase;
  readonly previous: Phase;
}

export class PhaseMachine {
  #phase: Phase = 'initial';
  readonly #changed: (change: PhaseChange) => void;

  constructor(changed: (change: PhaseChange) => void = () => undefined) {
    this.#changed = changed;
  }

  get phase(): Phase {
    return this.#phase;
  }

  playbackStarted(): void {
    if (this.#phase === 'initial') this.#become('playing');
  }

  stalled(): void {
    if (this.#phase === 'playing') this.#become('recovery');
  }

  /** A seek to a place with `bufferAhead` seconds already there, where a paced segment needs `needed` to arrive. */
  sought(bufferAhead: Seconds, needed: Seconds): void {
    if (this.#phase === 'playing' && bufferAhead < needed) this.#become('recovery');
  }

  bufferIs(buffer: Seconds, safe: Seconds): void {
    if (this.#phase === 'recovery' && buffer >= safe) this.#become('playing');
  }

  #become(phase: Phase): void {
    const previous = this.#phase;
    this.#phase = phase;
    this.#changed({ phase, previous });
  }
}
