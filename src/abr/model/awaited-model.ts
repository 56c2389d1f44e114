import type { AbrEvent, AbrOptions, AbrSession, AbrState } from '../abr.ts';
import { hyb } from '../hyb.ts';
import type { Model, ModelState } from './model-source.ts';

/** With so much in the buffer, or half of its target, a model is fetched, s: 205 kB take 4 s of 400 kbit/s. Ours. */
const FETCH_BUFFER_S = 8;
/** A buffer that stays shorter, as in live, is waited for while so much content arrives, s. */
const FETCH_ARRIVED_S = 20;

/** A learnt algorithm's model in one session: fetched when the network has room for it, and HYB until it is there. */
export class AwaitedModel<Read> {
  readonly hyb: AbrSession;
  readonly #model: Model<Read>;
  /** So much content has arrived since the session's start or the latest seek, s. */
  #arrived_s = 0;
  /** What an earlier session gave up has been tried again. */
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

  /** The model for a choice. */
  forChoice(state: AbrState): ModelState<Read> {
    this.#tryOnce();
    if (this.#hasRoom(state)) this.#model.fetch();
    return this.#model.state;
  }

  /**
   * The model for a bound. Where the viewer has fixed the quality, or there is one rung only, nobody asks for another. A first
   * bitrate, of a session that may ask for no more, is asked for with nothing buffered.
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
