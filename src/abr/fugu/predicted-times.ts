import type { AbrState } from '../abr.ts';
import { LikelyTimes } from './likely-times.ts';
import { ttpInputs, type TtpInputs } from './ttp-inputs.ts';
import { BINS, HORIZON, type TtpModel } from './ttp-model.ts';
import { TtpPredictor } from './ttp-predictor.ts';

/**
 * A segment larger than so many times the largest of the past downloads is beyond what the predictor has learnt, since nobody asks
 * a network for so much more than it just carried: its time is taken to grow with its size from there on. Ours, chosen on training
 * traces: with 2.5, or without, it stalls twice as much there.
 */
const FAMILIAR = 1.5;

type Past = Pick<AbrState, 'downloads' | 'receipt'>;

/**
 * What the network is to take for the coming segments, if nothing paces them. It depends on neither the buffer nor the rung
 * before, and is kept until it becomes another: the player asks for a choice several times, and then for its pace.
 */
export class PredictedTimes {
  readonly times: LikelyTimes;
  readonly #predictor: TtpPredictor;
  readonly #times_s: readonly number[];
  readonly #probabilities = new Float32Array(BINS);
  readonly #sizes: Float64Array;
  /** So many of `times` and sizes are of the latest prediction. */
  #segments = 0;
  #past: Past | undefined;
  #inputs: TtpInputs | undefined;

  constructor(model: TtpModel, rungs: number) {
    this.#predictor = new TtpPredictor(model);
    this.#times_s = model.times_s;
    this.times = new LikelyTimes(HORIZON * rungs);
    this.#sizes = new Float64Array(HORIZON * rungs);
  }

  /** Whether the inputs of the latest prediction lacked TCP's statistics. */
  get withoutTcp(): boolean {
    return this.#inputs?.variant === 'plain';
  }

  /** The smoothed round trip then, µs; undefined where none was told that can be believed. */
  get rtt_us(): number | undefined {
    return this.#inputs?.rtt_us;
  }

  /** Fills `times` for segments of so many bytes, by step, then by rung. Returns false where they are as they were. */
  predict(past: Past, sizes: readonly Float64Array[]): boolean {
    const inputs = this.#inputsFor(past);
    if (inputs === this.#inputs && this.#areKnown(sizes)) return false;
    const known_bytes = FAMILIAR * inputs.largest_bytes;
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
