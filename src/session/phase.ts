import type { Phase, PhaseChange } from '../decision.ts';
import { seconds, type Seconds } from '../units.ts';

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
    this.#change('preload', 'initial');
  }

  playbackStarted(): void {
    this.#change('initial', 'playing');
    this.#change('preload', 'playing');
  }

  /** Playback has started. */
  get started(): boolean {
    return this.#phase === 'playing' || this.#phase === 'recovery';
  }

  stalled(): void {
    this.#change('playing', 'recovery');
  }

  /** A seek to a place with `bufferAhead` seconds already there, where a paced segment needs `needed` to arrive. */
  sought(bufferAhead: Seconds, needed: Seconds): void {
    if (bufferAhead >= needed) return;
    this.#change('playing', 'recovery');
    this.#change('preload', 'initial');
  }

  bufferIs(buffer: Seconds, safe: Seconds): void {
    if (buffer >= safe) this.#change('recovery', 'playing');
  }

  /** So much is there to begin with. */
  fetched(buffer: Seconds): void {
    if (buffer >= PROMPT_START && !this.#viewerWaits) this.#change('initial', 'preload');
  }

  /** Nothing where the phase is another than `previous`. */
  #change(previous: Phase, phase: Phase): void {
    if (this.#phase !== previous) return;
    this.#phase = phase;
    this.#changed?.({ phase, previous });
  }
}
