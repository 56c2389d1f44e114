import { seconds, type Seconds } from '../units.ts';

/**
 * - `initial`: until playback first starts; unpaced, since a lower rate here is a longer play delay (Sammy §4.1).
 *   Without autoplay, or where the browser forbids it, nobody waits before the viewer asks to play: then it is so only
 *   until enough is there for a prompt start, and again once he has asked.
 * - `preload`: enough is there for a prompt start, and the viewer has not asked to play; paced like the playing phase.
 * - `playing`: paced.
 * - `recovery`: after a stall, or a seek that (nearly) emptied the buffer; unpaced like the initial phase, since the
 *   viewer waits again, until the buffer is safe. So is a request that replaces the very segment that plays by a better
 *   one, as dash.js does on a switch up at the start of a fast session.
 */
export type Phase = 'initial' | 'preload' | 'playing' | 'recovery';

export interface PhaseChange {
  readonly phase: Phase;
  readonly previous: Phase;
}

/** Playback starts with the first segment. A second one, chosen by what the first has shown, keeps it going. Ours. */
const PROMPT_START = seconds(4);

export class PhaseMachine {
  #phase: Phase = 'initial';
  #viewerWaits = true;
  readonly #changed: (change: PhaseChange) => void;

  constructor(changed: (change: PhaseChange) => void = () => undefined) {
    this.#changed = changed;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Nobody waits before the viewer asks to play. */
  awaitViewer(): void {
    this.#viewerWaits = false;
  }

  playbackRequested(): void {
    this.#viewerWaits = true;
    if (this.#phase === 'preload') this.#become('initial');
  }

  playbackStarted(): void {
    if (!this.started) this.#become('playing');
  }

  /** Playback has started. */
  get started(): boolean {
    return this.#phase !== 'initial' && this.#phase !== 'preload';
  }

  stalled(): void {
    if (this.#phase === 'playing') this.#become('recovery');
  }

  /** A seek to a place with `bufferAhead` seconds already there, where a paced segment needs `needed` to arrive. */
  sought(bufferAhead: Seconds, needed: Seconds): void {
    if (bufferAhead >= needed) return;
    if (this.#phase === 'playing') this.#become('recovery');
    if (this.#phase === 'preload') this.#become('initial');
  }

  bufferIs(buffer: Seconds, safe: Seconds): void {
    if (this.#phase === 'recovery' && buffer >= safe) this.#become('playing');
  }

  /** So much is there to begin with. */
  fetched(buffer: Seconds): void {
    if (this.#phase === 'initial' && !this.#viewerWaits && buffer >= PROMPT_START) this.#become('preload');
  }

  #become(phase: Phase): void {
    const previous = this.#phase;
    this.#phase = phase;
    this.#changed({ phase, previous });
  }
}
