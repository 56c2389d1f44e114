import type { AbrEvent, AbrOptions, AbrSession, AbrState } from '../abr.ts';
import { hyb } from '../hyb.ts';
import type { Model, ModelState } from './model-source.ts';

/** The model is fetched once this much is buffered, s, or half of the buffer target. 14 kB take 0.3 s at 400 kbit/s. */
const FETCH_BUFFER_S = 8;
/** The model is also fetched once this much content has arrived, s, for buffers that stay shorter, as in live streams. */
const FETCH_ARRIVED_S = 20;

/**
 * A learned algorithm's model in one session. It is fetched when the network has capacity to spare, and HYB chooses until
 * then.
 */
export class AwaitedModel<Read> {
  readonly hyb: AbrSession;
  readonly #model: Model<Read>;
  /** Seconds of content received since playback started or since the last seek. */
  #arrived_s = 0;
  /** Whether this session has retried a model that an earlier session failed to get. */
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

  /** The model, for a choice. Starts fetching it once the buffer allows. */
  forChoice(state: AbrState): ModelState<Read> {
    this.#tryOnce();
    if (this.#hasRoom(state)) this.#model.fetch();
    return this.#model.state;
  }

  /**
   * The model, for a bound. With a fixed quality or a single rung there are bounds but no choices, so this starts fetching
   * too. The first bitrate of a session that may request nothing else is chosen with an empty buffer, and must not start a
   * fetch.
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
