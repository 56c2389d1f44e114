import type { TtpInputs } from './ttp-inputs.ts';
import { BINS, HORIZON, type TtpLayer, type TtpModel, type TtpVariant } from './ttp-model.ts';

/**
 * Computes the probability of each transmission-time bin with a model's network. All arrays are allocated once. A
 * decision needs dozens of passes that differ only in the step and the last input, so the first layer's sums over the
 * other inputs are computed once per decision.
 */
export class TtpPredictor {
  readonly #model: TtpModel;
  #variant: TtpVariant;
  readonly #inputs: Float32Array;
  /** The first layer's sums over all inputs except the size to predict and the step. */
  readonly #begun: Float32Array;
  readonly #first: Float32Array;
  readonly #second: Float32Array;
  /** Indexes of a layer's outputs that are positive after ReLU. */
  readonly #places: Int32Array;
  readonly #values: Float32Array;

  constructor(model: TtpModel) {
    this.#model = model;
    this.#variant = model.tcp;
    const widest = (layer: 0 | 1) =>
      Math.max(...[model.tcp, model.plain].map(({ layers }) => layers[layer].biases.length));
    this.#inputs = new Float32Array(Math.max(model.tcp.mean.length, model.plain.mean.length));
    this.#begun = new Float32Array(widest(0));
    this.#first = new Float32Array(widest(0));
    this.#second = new Float32Array(widest(1));
    this.#places = new Int32Array(Math.max(widest(0), widest(1)));
    this.#values = new Float32Array(this.#places.length);
  }

  /** Sets the inputs for the following predictions. */
  observe({ variant, values }: Pick<TtpInputs, 'variant' | 'values'>): void {
    this.#variant = this.#model[variant];
    const [{ weights, biases }] = this.#variant.layers;
    const others = values.length - 1;
    for (let index = 0; index < others; index++)
      this.#inputs[index] = this.#normalized(index, values[index] ?? NaN);
    const width = weights.length / biases.length;
    for (let output = 0; output < biases.length; output++) {
      let sum = biases[output] ?? 0;
      for (let input = 0; input < others; input++)
        sum += (weights[output * width + input] ?? 0) * (this.#inputs[input] ?? 0);
      this.#begun[output] = sum;
    }
  }

  /** Writes the probabilities for a segment of the given size, `step` segments after the next one, into `out` from index `at`. */
  predict(step: number, size_bytes: number, out: Float32Array, at: number): void {
    if (!(step < HORIZON)) throw new Error(`the model has no step ${step}`);
    const [{ weights, biases }, second, third] = this.#variant.layers;
    const last = this.#variant.mean.length - 1;
    const size = this.#normalized(last, size_bytes);
    const width = weights.length / biases.length;
    for (let output = 0; output < biases.length; output++) {
      const place = output * width + last;
      this.#first[output] =
        (this.#begun[output] ?? 0) + (weights[place] ?? 0) * size + (weights[place + 1 + step] ?? 0);
    }
    this.#multiply(second, this.#first, this.#second, 0);
    this.#multiply(third, this.#second, out, at);
    softmax(out, at);
  }

  /**
   * Applies a layer to the positive outputs of the previous layer. The other half of the outputs are zero after ReLU.
   * Sums four outputs at a time, so that the processor can overlap the additions. Each sum adds the inputs in order.
   */
  #multiply({ weights, biases }: TtpLayer, before: Float32Array, out: Float32Array, at: number): void {
    const outputs = biases.length;
    const width = weights.length / outputs;
    const count = this.#activate(before, width);
    const [places, values] = [this.#places, this.#values];
    let output = 0;
    for (; output + 3 < outputs; output += 4) {
      const row = output * width;
      let one = biases[output] ?? 0;
      let two = biases[output + 1] ?? 0;
      let three = biases[output + 2] ?? 0;
      let four = biases[output + 3] ?? 0;
      for (let index = 0; index < count; index++) {
        const value = values[index] ?? 0;
        const weight = row + (places[index] ?? 0);
        one += value * (weights[weight] ?? 0);
        two += value * (weights[weight + width] ?? 0);
        three += value * (weights[weight + 2 * width] ?? 0);
        four += value * (weights[weight + 3 * width] ?? 0);
      }
      out[at + output] = one;
      out[at + output + 1] = two;
      out[at + output + 2] = three;
      out[at + output + 3] = four;
    }
    for (; output < outputs; output++) {
      let sum = biases[output] ?? 0;
      for (let index = 0; index < count; index++)
        sum += (values[index] ?? 0) * (weights[output * width + (places[index] ?? 0)] ?? 0);
      out[at + output] = sum;
    }
  }

  /** Records which of the first `width` values are above 0, and returns their number. */
  #activate(before: Float32Array, width: number): number {
    let count = 0;
    for (let place = 0; place < width; place++) {
      const value = before[place] ?? 0;
      if (value <= 0) continue;
      this.#places[count] = place;
      this.#values[count++] = value;
    }
    return count;
  }

  /** Normalizes the logarithm, because sizes, times and rates span orders of magnitude. A missing value becomes the mean. */
  #normalized(index: number, value: number): number {
    const { mean, deviation } = this.#variant;
    if (Number.isNaN(value)) return 0;
    return (Math.log1p(value) - (mean[index] ?? 0)) / (deviation[index] ?? 1);
  }
}

function softmax(out: Float32Array, at: number): void {
  let most = -Infinity;
  for (let bin = at; bin < at + BINS; bin++) most = Math.max(most, out[bin] ?? 0);
  let sum = 0;
  for (let bin = at; bin < at + BINS; bin++) sum += out[bin] = Math.exp((out[bin] ?? 0) - most);
  for (let bin = at; bin < at + BINS; bin++) out[bin] = (out[bin] ?? 0) / sum;
}
