import type { AbrState } from '../abr.ts';
import { LikelyTimes } from './likely-times.ts';
import { ttpInputs, type TtpInputs } from './ttp-inputs.ts';
import { BINS, HORIZON, type TtpModel } from './ttp-model.ts';
import { TtpPredictor } from './ttp-predictor.ts';

/**
 * The size, as a multiple of the largest past download, above which the predicted time grows linearly with the size.
 * Larger segments are rare in the training data, because players rarely request so much more than the network just
 * delivered. Chosen on training traces: with 2.5, or without a limit, there are twice as many stalls.
 */
const KNOWN_SIZE_RATIO = 1.5;

type Past = Pick<AbrState, 'downloads' | 'receipt'>;

/**
 * The predicted transmission times of the upcoming segments without pacing. They depend on neither the buffer level nor the
 * previous rung, and are cached until their inputs change, because the player asks for a choice several times and then for
 * its pace.
 */
export class PredictedTimes {
  readonly times: LikelyTimes;
  readonly #predictor: TtpPredictor;
  readonly #times_s: readonly number[];
  readonly #probabilities = new Float32Array(BINS);
  readonly #sizes: Float64Array;
  /** The number of segments in the latest prediction. */
  #segments = 0;
  #past: Past | undefined;
  #inputs: TtpInputs | undefined;

  constructor(model: TtpModel, rungs: number) {
    this.#predictor = new TtpPredictor(model);
    this.#times_s = model.times_s;
    this.times = new LikelyTimes(HORIZON * rungs);
    this.#sizes = new Float64Array(HORIZON * rungs);
  }

  /** Whether the latest prediction used no TCP statistics. */
  get withoutTcp(): boolean {
    return this.#inputs?.variant === 'plain';
  }

  /** The smoothed round-trip time of the latest prediction, µs; undefined without a plausible value. */
  get rtt_us(): number | undefined {
    return this.#inputs?.rtt_us;
  }

  /** Fills `times` for the given sizes, in bytes, by step, then by rung. Returns false if nothing has changed. */
  predict(past: Past, sizes: readonly Float64Array[]): boolean {
    const inputs = this.#inputsFor(past);
    if (inputs === this.#inputs && this.#areKnown(sizes)) return false;
    const known_bytes = KNOWN_SIZE_RATIO * inputs.largest_bytes;
    this.#inputs = inputs;
    this.#predictor.observe(inputs);
    let segment = 0;
    for (const [step, ofStep] of sizes.entries()) {
      for (const size of ofStep) {
        this.#predictor.predict(step, Math.min(size, known_bytes), this.#probabilities, 0);
        this.times.set(segment, this.#probabilities, this.#times_s, Math.max(1, size / known_bytes));
        this.#sizes[segment++] = size;
      }
    }
    this.#segments = segment;
    return true;
  }

  #inputsFor({ downloads, receipt }: Past): TtpInputs {
    const known = this.#inputs;
    if (known && downloads === this.#past?.downloads && receipt === this.#past.receipt) return known;
    this.#past = { downloads, receipt };
    return ttpInputs(downloads, receipt);
  }

  #areKnown(sizes: readonly Float64Array[]): boolean {
    let segment = 0;
    for (const ofStep of sizes) for (const size of ofStep) if (size !== this.#sizes[segment++]) return false;
    return segment === this.#segments;
  }
}
