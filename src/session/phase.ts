import type { Phase, PhaseChange } from '../decision.ts';
import { seconds, type Seconds } from '../units.ts';

/**
 * The buffer level that suffices for a prompt start: two segments of 2 s, the second chosen by the throughput of the
 * first.
 */
const PROMPT_START = seconds(4);

export class PhaseMachine {
  phase: Phase = 'initial';
  #viewerWaits = true;
  readonly #changed: ((change: PhaseChange) => void) | undefined;

  constructor(changed?: (change: PhaseChange) => void) {
    this.#changed = changed;
  }

  /** Call it when playback waits for the viewer, not for data. */
  awaitViewer(): void {
    this.#viewerWaits = false;
  }

  playbackRequested(): void {
    this.#viewerWaits = true;
    this.#change('preload', 'initial');
  }

  startedToPlay(): void {
    this.#change('initial', 'playing');
    this.#change('preload', 'playing');
  }

  stalled(): void {
    this.#change('playing', 'recovery');
  }

  /**
   * Call it after a seek to a position with `bufferAhead` seconds buffered. With less than `needed`, the viewer has to
   * wait.
   */
  seeked(bufferAhead: Seconds, needed: Seconds): void {
    if (bufferAhead >= needed) return;
    this.#change('playing', 'recovery');
    this.#change('preload', 'initial');
  }

  updateBuffer(buffer: Seconds, safe: Seconds): void {
    if (buffer >= safe) this.#change('recovery', 'playing');
  }

  /** Call it when `buffer` seconds have been downloaded before playback. */
  prefetched(buffer: Seconds): void {
    if (buffer >= PROMPT_START && !this.#viewerWaits) this.#change('initial', 'preload');
  }

  /** Changes the phase if it is `previous`. */
  #change(previous: Phase, phase: Phase): void {
    if (this.phase !== previous) return;
    this.phase = phase;
    this.#changed?.({ phase, previous });
  }
}
