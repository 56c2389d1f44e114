import type { TtpInputs } from './ttp-inputs.ts';
import { BINS, type TtpLayer, type TtpModel, type TtpVariant } from './ttp-model.ts';

/**
 * The probability of each bin of transmission times, by the networks of a model. All arrays are made once: a decision asks
 * for dozens of passes, which differ in the last input only, so that the rest of the first layer is multiplied once.
 */
export class TtpPredictor {
  readonly #model: TtpModel;
  #variant: TtpVariant;
  readonly #inputs: Float32Array;
  /** By step: the first layer without the last input. */
  readonly #begun: Float32Array[];
  readonly #begunFor: boolean[];
  readonly #first: Float32Array;
  readonly #second: Float32Array;

  constructor(model: TtpModel) {
    this.#model = model;
    this.#variant = model.tcp;
    const widest = (layer: number) =>
      Math.max(...[model.tcp, model.plain].map(({ networks }) => networks[0]?.[layer]?.biases.length ?? 0));
    this.#inputs = new Float32Array(Math.max(model.tcp.mean.length, model.plain.mean.length));
    this.#begun = model.tcp.networks.map(() => new Float32Array(widest(0)));
    this.#begunFor = model.tcp.networks.map(() => false);
    this.#first = new Float32Array(widest(0));
    this.#second = new Float32Array(widest(1));
  }

  /** From here on it predicts for these inputs. */
  observe({ variant, values }: Pick<TtpInputs, 'variant' | 'values'>): void {
    this.#variant = this.#model[variant];
    for (let index = 0; index < values.length - 1; index++) {
      this.#inputs[index] = this.#normalized(index, values[index] ?? NaN);
    }
    this.#begunFor.fill(false);
  }

  /** Writes the probabilities for a segment of a size, `step` segments after the next, into `out` from `at` on. */
  predict(step: number, size_bytes: number, out: Float32Array, at: number): void {
    const [one, two, three] = this.#variant.networks[step] ?? [];
    if (!one || !two || !three) throw new Error(`the model has no step ${step}`);
    const begun = this.#begin(step, one);
    const last = this.#variant.mean.length - 1;
    const size = this.#normalized(last, size_bytes);
    const first = this.#first;
    for (let output = 0; output < one.biases.length; output++) {
      const weight = one.weights[output * (last + 1) + last] ?? 0;
      first[output] = Math.max(0, (begun[output] ?? 0) + weight * size);
    }
    const second = this.#second;
    multiply(two, first, second, 0);
    for (let output = 0; output < two.biases.length; output++)
      second[output] = Math.max(0, second[output] ?? 0);
    multiply(three, second, out, at);
    softmax(out, at);
  }

  #begin(step: number, { weights, biases }: TtpLayer): Float32Array {
    const begun = this.#begun[step] ?? new Float32Array(0);
    if (this.#begunFor[step] === true) return begun;
    this.#begunFor[step] = true;
    const width = this.#variant.mean.length;
    for (let output = 0; output < biases.length; output++) {
      let sum = biases[output] ?? 0;
      for (let input = 0; input < width - 1; input++)
        sum += (weights[output * width + input] ?? 0) * (this.#inputs[input] ?? 0);
      begun[output] = sum;
    }
    return begun;
  }

  /** Sizes, times and rates are spread over decades: their logarithms are what is normalized. What is missing is as the mean. */
  #normalized(index: number, value: number): number {
    const { mean, deviation } = this.#variant;
    if (Number.isNaN(value)) return 0;
    return (Math.log1p(value) - (mean[index] ?? 0)) / (deviation[index] ?? 1);
  }
}

function multiply({ weights, biases }: TtpLayer, inputs: Float32Array, out: Float32Array, at: number): void {
  const width = weights.length / biases.length;
  for (let output = 0; output < biases.length; output++) {
    let sum = biases[output] ?? 0;
    const row = output * width;
    for (let input = 0; input < width; input++) sum += (weights[row + input] ?? 0) * (inputs[input] ?? 0);
    out[at + output] = sum;
  }
}

function softmax(out: Float32Array, at: number): void {
  let most = -Infinity;
  for (let bin = at; bin < at + BINS; bin++) most = Math.max(most, out[bin] ?? 0);
  let sum = 0;
  for (let bin = at; bin < at + BINS; bin++) sum += out[bin] = Math.exp((out[bin] ?? 0) - most);
  for (let bin = at; bin < at + BINS; bin++) out[bin] = (out[bin] ?? 0) / sum;
}
