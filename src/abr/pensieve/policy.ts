import { openModelFile } from '../model/model-file.ts';
import { RUNG_INPUTS, SHARED_INPUTS, type PolicyInputs, type Reward } from './policy-inputs.ts';

/**
 * The header of a policy's file, written by `npm run lab -- learn-rule` (model-file.ts). The weights and biases of each
 * layer follow.
 */
const POLICY = { format: 'dashjs-sammy-policy', version: 1, what: 'learnt policy' };
const INPUTS = SHARED_INPUTS + RUNG_INPUTS;
const WIDEST_LAYER = 256;

/** The weights of all inputs for the first output, then for the second, etc. */
interface Layer {
  readonly weights: Float64Array;
  readonly biases: Float64Array;
}

/** A learned policy: the actor of an actor-critic pair. */
export interface Policy {
  readonly reward: Reward;
  /** Two hidden layers and one output layer. */
  readonly layers: readonly [Layer, Layer, Layer];
  /** A description of the training traces, commit and seed. */
  readonly provenance: unknown;
}

/** Reads a policy's file. Throws an Error that describes what is invalid. */
export function readPolicy(file: ArrayBuffer | Uint8Array): Policy {
  const { header, numbers } = openModelFile(file, POLICY);
  const { reward, inputs, hidden, provenance } = header;
  if (reward !== 'bitrate' && reward !== 'ssim')
    throw new Error(`its reward is ${JSON.stringify(reward)} and not "bitrate" or "ssim"`);
  if (inputs !== INPUTS) throw new Error(`it has ${String(inputs)} inputs and not ${INPUTS}`);
  const isWidth = (width: unknown) =>
    Number.isInteger(width) && Number(width) >= 1 && Number(width) <= WIDEST_LAYER;
  if (!Array.isArray(hidden) || hidden.length !== 2 || !hidden.every(isWidth))
    throw new Error(`its hidden layers are ${JSON.stringify(hidden)} and not two of at most ${WIDEST_LAYER}`);
  const [one, two] = hidden as [number, number];
  const { floats: next } = numbers(one * (INPUTS + 1) + two * (one + 1) + two + 1);
  const readLayer = (width: number, outputs: number): Layer => ({
    weights: Float64Array.from(next(width * outputs)),
    biases: Float64Array.from(next(outputs)),
  });
  return { reward, layers: [readLayer(INPUTS, one), readLayer(one, two), readLayer(two, 1)], provenance };
}

/**
 * Returns the policy's score of each rung: the logits of its softmax. One network processes the rungs one by one, together
 * with the shared inputs, so a ladder may have any number of rungs.
 */
export function scoreRungs({ layers }: Policy, { shared, rungs }: PolicyInputs): Float64Array {
  const [first, second, last] = layers;
  const begun = product(first, INPUTS, shared, 0, first.biases);
  const scores = new Float64Array(rungs.length / RUNG_INPUTS);
  for (let rung = 0; rung < scores.length; rung++) {
    const own = rungs.subarray(RUNG_INPUTS * rung, RUNG_INPUTS * (rung + 1));
    const hidden = rectified(product(first, INPUTS, own, SHARED_INPUTS, begun));
    const deeper = rectified(product(second, hidden.length, hidden, 0, second.biases));
    scores[rung] = product(last, deeper.length, deeper, 0, last.biases)[0] ?? 0;
  }
  return scores;
}

/** Returns `start` plus the product of `inputs` and the layer's weights from input `from`. */
function product(
  { weights, biases }: Layer,
  width: number,
  inputs: Float64Array,
  from: number,
  start: Float64Array,
): Float64Array {
  const out = new Float64Array(biases.length);
  for (let output = 0; output < out.length; output++) {
    const row = output * width + from;
    let sum = start[output] ?? 0;
    for (let input = 0; input < inputs.length; input++)
      sum += (inputs[input] ?? 0) * (weights[row + input] ?? 0);
    out[output] = sum;
  }
  return out;
}

function rectified(values: Float64Array): Float64Array {
  for (let index = 0; index < values.length; index++) values[index] = Math.max(0, values[index] ?? 0);
  return values;
}
