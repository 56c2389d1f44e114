import { isRecord } from '../../records.ts';
import { LARGEST, openModelFile, type Numbers } from '../model/model-file.ts';

/**
 * A transmission-time predictor (TTP; Puffer, thesis §2.3.2), written by `npm run learn -- ttp`. The file begins with a line
 * of JSON, padded with spaces so that the numbers after it start at a multiple of four bytes. The numbers are little-endian
 * float32. For each variant, `tcp` and then `plain` (without TCP statistics): the mean and standard deviation of its inputs,
 * then by step of the horizon and by layer the weights, output after output, and the biases. They are rounded to 10 fraction
 * bits, which saves 70 kB in a compressed package.
 */
export interface TtpModel {
  readonly tcp: TtpVariant;
  readonly plain: TtpVariant;
  /** The time that each bin represents, s: its median. */
  readonly times_s: readonly number[];
  /** Training data, commit and seed. */
  readonly provenance: unknown;
}

/** The networks for one set of inputs. */
export interface TtpVariant {
  /** Mean of each input, in the order of ttp-inputs.ts. The last input is the size of the segment to predict. */
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
  /** The layers by step of the horizon. The last layer has no ReLU. */
  readonly networks: readonly (readonly TtpLayer[])[];
}

/** The weights of all inputs for the first output, then for the second, etc. */
export interface TtpLayer {
  readonly weights: Float32Array;
  readonly biases: Float32Array;
}

/** Files of other versions are rejected, because their inputs may have another meaning. */
export const TTP_VERSION = 2;
const TTP = { format: 'dashjs-sammy-ttp', version: TTP_VERSION };
/** Planned steps, past downloads used, and bins of time (thesis §2.3.5). */
export const HORIZON = 5;
export const HISTORY = 8;
export const BINS = 21;

/** Size, time and pace share of each past download, their number, five TCP statistics, and the size to predict. */
export const PLAIN_INPUTS = 3 * HISTORY + 1 + 1;
export const TCP_INPUTS = PLAIN_INPUTS + 5;

/** Wider hidden layers are too slow for a web page. */
const WIDEST_LAYER = 256;
const LEAST_DEVIATION = 1e-7;

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
  const expected = variantLength(TCP_INPUTS, hidden[0]) + variantLength(PLAIN_INPUTS, hidden[1]);
  const numbers = read(expected);
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
): number[] {
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
  return hidden;
}

const layerWidths = (inputs: number, hidden: readonly number[]): number[] => [inputs, ...hidden, BINS];

/** The count of float32 values of a variant. */
function variantLength(inputs: number, hidden: readonly number[]): number {
  const widths = layerWidths(inputs, hidden);
  const ofNetwork = widths
    .slice(1)
    .reduce((sum, width, layer) => sum + width * ((widths[layer] ?? 0) + 1), 0);
  return 2 * inputs + HORIZON * ofNetwork;
}

function readVariant(next: Numbers, inputs: number, hidden: readonly number[]): TtpVariant {
  const mean = next(inputs);
  const deviation = next(inputs);
  if (!deviation.every((each) => each >= LEAST_DEVIATION))
    throw new Error('it has a standard deviation that is not above 0');
  const widths = layerWidths(inputs, hidden);
  const networks = Array.from({ length: HORIZON }, () =>
    widths
      .slice(1)
      .map((width, layer) => ({ weights: next(width * (widths[layer] ?? 0)), biases: next(width) })),
  );
  return { mean, deviation, networks };
}
