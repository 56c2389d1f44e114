import type { AbrEvent, AbrOptions, AbrSession, AbrState } from '../abr.ts';
import { hyb } from '../hyb.ts';
import type { Model, ModelState } from './model-source.ts';

/**
 * The model is fetched when the buffer level reaches this, s, or half of the buffer target. A model of 14 kB takes 0.3
 * s at 400 kbit/s.
 */
const FETCH_BUFFER_S = 8;
/**
 * The model is also fetched when this much content has arrived, s, because the buffer of a live stream may stay shorter
 * than `FETCH_BUFFER_S`.
 */
const FETCH_ARRIVED_S = 20;

/**
 * A learned algorithm's model in one session. The model is fetched when enough is buffered, and HYB chooses until it is
 * available.
 */
export class AwaitedModel<Read> {
  readonly hyb: AbrSession;
  readonly #model: Model<Read>;
  /** Seconds of content received since playback started or since the last seek. */
  #arrived_s = 0;
  /** Whether this session has already retried a model that an earlier session failed to fetch. */
  #hasTried = false;

  constructor(model: Model<Read>, options: AbrOptions) {
    this.#model = model;
    this.hyb = hyb().session(options);
  }

  get arrived_s(): number {
    return this.#arrived_s;
  }

  observe(event: AbrEvent): void {
    this.hyb.observe?.(event);
    if (event.type === 'seek') this.#arrived_s = 0;
    if (event.type !== 'download' || event.download.outcome !== 'completed') return;
    this.#arrived_s += event.download.segment_duration_s;
  }

  /** Returns the model for a choice. Starts the fetch if enough is buffered. */
  forChoice(state: AbrState): ModelState<Read> {
    this.#tryOnce();
    if (this.#hasRoom(state)) this.#model.fetch();
    return this.#model.state;
  }

  /**
   * Returns the model for `requiredThroughput`. With a fixed quality or a single rung, there are no choices, so this
   * method starts the fetch too, except with an empty buffer, because the fetch would delay the session's first
   * segments.
   */
  forBound(state: AbrState): ModelState<Read> {
    return this.#hasRoom(state) ? this.forChoice(state) : this.#model.state;
  }

  #tryOnce(): void {
    if (!this.#hasTried) this.#model.tryAgain();
    this.#hasTried = true;
  }

  #hasRoom({ buffer, bufferTarget }: AbrState): boolean {
    return buffer >= Math.min(FETCH_BUFFER_S, bufferTarget / 2) || this.#arrived_s >= FETCH_ARRIVED_S;
  }
}
