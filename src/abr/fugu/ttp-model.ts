import { isRecord } from '../../records.ts';
import { LARGEST, openModelFile, type Numbers } from '../model/model-file.ts';

/**
 * A transmission-time predictor (TTP; Puffer, thesis §2.3.2), written by `npm run learn -- ttp`. After a line of JSON
 * (model-file.ts), the file has float32 values for each variant, `tcp` and then `plain` (without TCP statistics): the
 * mean and standard deviation of its inputs, and for each layer, the scale of each output's weights and the biases.
 * int8 values follow in the same order: each layer's weights, output after output. A weight is its int8 value times the
 * scale of its output, which makes the file a quarter as large as with float32 weights.
 */
export interface TtpModel {
  readonly tcp: TtpVariant;
  readonly plain: TtpVariant;
  /** The time that represents each bin, s: the median of the bin's times. */
  readonly times_s: readonly number[];
  /** A description of the training data, commit and seed. */
  readonly provenance: unknown;
}

/** The network for one set of inputs. */
export interface TtpVariant {
  /** Mean of each input, in the order of ttp-inputs.ts. The last input is the size of the segment to predict. */
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
  /**
   * The first layer has `HORIZON` more inputs: 1 for the step of the horizon, 0 for the others. The last layer has no ReLU.
   */
  readonly layers: readonly [TtpLayer, TtpLayer, TtpLayer];
}

/** The weights of all inputs for the first output, then for the second, etc. */
export interface TtpLayer {
  readonly weights: Float32Array;
  readonly biases: Float32Array;
}

/** Files of other versions are rejected, because their inputs may have another meaning. */
export const TTP_VERSION = 3;
const TTP = { format: 'dashjs-sammy-ttp', version: TTP_VERSION };
/** The number of planned steps (thesis §2.3.5). */
export const HORIZON = 5;
/** The number of past downloads in the inputs. */
export const HISTORY = 8;
/** The number of time bins. */
export const BINS = 21;

/** Size, time and pace share of each past download, the number of past downloads, and the size to predict. */
export const PLAIN_INPUTS = 3 * HISTORY + 1 + 1;
/** The same, and five TCP statistics. */
export const TCP_INPUTS = PLAIN_INPUTS + 5;

/** Wider hidden layers are too slow for a web page. */
const WIDEST_LAYER = 256;
const LEAST_DEVIATION = 1e-7;

type HiddenWidths = readonly [number, number];

/** Reads a model file. Throws an Error that describes what is invalid. */
export function readTtpModel(file: ArrayBuffer | Uint8Array): TtpModel {
  const { header, numbers: read } = openModelFile(file, { ...TTP, what: 'model of transmission times' });
  const hidden = [
    readHiddenWidths(header, 'tcp', TCP_INPUTS),
    readHiddenWidths(header, 'plain', PLAIN_INPUTS),
  ] as const;
  const { times_s } = header;
  if (!isNumberList(times_s, BINS, (each) => each > 0 && each <= LARGEST))
    throw new Error(`its times_s are not ${BINS} times`);
  const [tcp, plain] = [countNumbers(TCP_INPUTS, hidden[0]), countNumbers(PLAIN_INPUTS, hidden[1])];
  const numbers = read(tcp.floats + plain.floats, tcp.integers + plain.integers);
  return {
    tcp: readVariant(numbers, TCP_INPUTS, hidden[0]),
    plain: readVariant(numbers, PLAIN_INPUTS, hidden[1]),
    times_s,
    provenance: header.provenance,
  };
}

const isNumberList = (value: unknown, length: number, holds: (each: number) => boolean): value is number[] =>
  Array.isArray(value) &&
  value.length === length &&
  value.every((each) => typeof each === 'number' && holds(each));

/** Reads the widths of a variant's hidden layers, after checking that its other properties match this version. */
function readHiddenWidths(
  { variants }: Readonly<Record<string, unknown>>,
  name: string,
  inputs: number,
): HiddenWidths {
  const variant = isRecord(variants) ? variants[name] : undefined;
  if (!isRecord(variant)) throw new Error(`it has no variant '${name}'`);
  const shape = { inputs, history: HISTORY, horizon: HORIZON, bins: BINS };
  for (const [key, expected] of Object.entries(shape)) {
    if (variant[key] !== expected)
      throw new Error(`its variant '${name}' has ${key} ${String(variant[key])} and not ${expected}`);
  }
  const { hidden } = variant;
  const isWidth = (width: number) => Number.isInteger(width) && width >= 1 && width <= WIDEST_LAYER;
  if (!isNumberList(hidden, 2, isWidth))
    throw new Error(
      `its variant '${name}' has hidden layers ${JSON.stringify(hidden)} and not two of at most ${WIDEST_LAYER}`,
    );
  return hidden as [number, number];
}

/** The numbers of inputs and outputs of each layer. */
const layerShapes = (inputs: number, [one, two]: HiddenWidths) =>
  [
    [inputs + HORIZON, one],
    [one, two],
    [two, BINS],
  ] as const;

/** The counts of a variant's numbers in the file: each output has a scale and a bias. */
function countNumbers(inputs: number, hidden: HiddenWidths): { floats: number; integers: number } {
  const shapes = layerShapes(inputs, hidden);
  return {
    floats: 2 * inputs + shapes.reduce((sum, [, outputs]) => sum + 2 * outputs, 0),
    integers: shapes.reduce((sum, [width, outputs]) => sum + width * outputs, 0),
  };
}

function readVariant(numbers: Numbers, inputs: number, hidden: HiddenWidths): TtpVariant {
  const mean = numbers.floats(inputs);
  const deviation = numbers.floats(inputs);
  if (!deviation.every((each) => each >= LEAST_DEVIATION))
    throw new Error('it has a standard deviation that is not above 0');
  const [first, second, last] = layerShapes(inputs, hidden);
  return {
    mean,
    deviation,
    layers: [readLayer(numbers, first), readLayer(numbers, second), readLayer(numbers, last)],
  };
}

function readLayer({ floats, integers }: Numbers, [width, outputs]: readonly [number, number]): TtpLayer {
  const scales = floats(outputs);
  const biases = floats(outputs);
  const weights = new Float32Array(integers(width * outputs));
  for (let index = 0; index < weights.length; index++) {
    const weight = (weights[index] ?? 0) * (scales[Math.floor(index / width)] ?? 0);
    if (Math.abs(weight) > LARGEST) throw new Error(`it has a weight of ${weight}`);
    weights[index] = weight;
  }
  return { weights, biases };
}
