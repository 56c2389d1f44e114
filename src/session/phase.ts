import type { Phase } from '../decision.ts';
import { seconds, type Seconds } from '../units.ts';

export interface PhaseChange {
  readonly phase: Phase;
  readonly previous: Phase;
}

/** Playback starts with the first segment. A second one, chosen by what the first has shown, keeps it going. Ours. */
const PROMPT_START = seconds(4);

export class PhaseMachine {
  #phase: Phase = 'initial';
  #viewerWaits = true;
  readonly #changed: ((change: PhaseChange) => void) | undefined;

  constructor(changed?: (change: PhaseChange) => void) {
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
    this.#changed?.({ phase, previous });
  }
}
