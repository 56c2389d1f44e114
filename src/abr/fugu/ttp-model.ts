import { isRecord } from '../../records.ts';
import { LARGEST, openModelFile, type Numbers } from '../model/model-file.ts';

/**
 * The file of a transmission-time predictor (TTP; Puffer, thesis §2.3.2), which `npm run learn -- ttp` writes: a line of
 * JSON, filled up with spaces so that the numbers behind it begin at a multiple of four bytes, and then float32,
 * little-endian. Of each of two variants, `tcp` and then `plain` (which knows no TCP statistics): mean and standard deviation of
 * its inputs, then by step of the horizon and by layer the weights, an output's after the other's, and the biases, all of
 * which are rounded to 10 bits of a fraction, so that a compressed package has 70 kB less.
 */
export interface TtpModel {
  readonly tcp: TtpVariant;
  readonly plain: TtpVariant;
  /** What each bin of times stands for, s: its median. */
  readonly times_s: readonly number[];
  /** Data, commit and seed it was trained with. */
  readonly provenance: unknown;
}

/** The networks of one set of inputs. */
export interface TtpVariant {
  /** Of the inputs, in the order of ttp-inputs.ts; the last is the size of the segment in question. */
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
  /** By step of the horizon: the layers, the last without ReLU. */
  readonly networks: readonly (readonly TtpLayer[])[];
}

/** Weights of all inputs for the first output, then for the second, and so on. */
export interface TtpLayer {
  readonly weights: Float32Array;
  readonly biases: Float32Array;
}

/** A file of another version is refused: what its inputs mean may be another. */
export const TTP_VERSION = 2;
const TTP = { format: 'dashjs-sammy-ttp', version: TTP_VERSION };
/** So many steps are planned, so many past downloads are looked at, and there are so many bins of time (thesis §2.3.5). */
export const HORIZON = 5;
export const HISTORY = 8;
export const BINS = 21;

/** Size, time and the pace's share of each past download, and how many there are; then TCP's five; then the size in question. */
export const PLAIN_INPUTS = 3 * HISTORY + 1 + 1;
export const TCP_INPUTS = PLAIN_INPUTS + 5;

/** A hidden layer beyond this is too slow for a page. */
const WIDEST_LAYER = 256;
const LEAST_DEVIATION = 1e-7;

/** Reads a model's file. Throws an Error that says what is wrong with it. */
export function readTtpModel(file: ArrayBuffer | Uint8Array): TtpModel {
  const { header, numbers: read } = openModelFile(file, { ...TTP, what: 'model of transmission times' });
  const hidden = [hiddenOf(header, 'tcp', TCP_INPUTS), hiddenOf(header, 'plain', PLAIN_INPUTS)] as const;
  const { times_s } = header;
  if (!isListOf(times_s, BINS, (each) => each > 0 && each <= LARGEST))
    throw new Error(`its times_s are not ${BINS} times`);
  const expected = variantLength(TCP_INPUTS, hidden[0]) + variantLength(PLAIN_INPUTS, hidden[1]);
  const numbers = read(expected);
  return {
    tcp: variantOf(numbers, TCP_INPUTS, hidden[0]),
    plain: variantOf(numbers, PLAIN_INPUTS, hidden[1]),
    times_s,
    provenance: header.provenance,
  };
}

const isListOf = (value: unknown, length: number, holds: (each: number) => boolean): value is number[] =>
  Array.isArray(value) &&
  value.length === length &&
  value.every((each) => typeof each === 'number' && holds(each));

/** The widths of the hidden layers of a variant, of which everything else is as this version has it. */
function hiddenOf({ variants }: Readonly<Record<string, unknown>>, name: string, inputs: number): number[] {
  const variant = isRecord(variants) ? variants[name] : undefined;
  if (!isRecord(variant)) throw new Error(`it has no variant '${name}'`);
  const shape = { inputs, history: HISTORY, horizon: HORIZON, bins: BINS };
  for (const [key, expected] of Object.entries(shape)) {
    if (variant[key] !== expected)
      throw new Error(`its variant '${name}' has ${key} ${String(variant[key])} and not ${expected}`);
  }
  const { hidden } = variant;
  const isWidth = (width: number) => Number.isInteger(width) && width >= 1 && width <= WIDEST_LAYER;
  if (!isListOf(hidden, 2, isWidth))
    throw new Error(
      `its variant '${name}' has hidden layers ${JSON.stringify(hidden)} and not two of at most ${WIDEST_LAYER}`,
    );
  return hidden;
}

const widthsOf = (inputs: number, hidden: readonly number[]): number[] => [inputs, ...hidden, BINS];

/** The number of a variant's numbers. */
function variantLength(inputs: number, hidden: readonly number[]): number {
  const widths = widthsOf(inputs, hidden);
  const ofNetwork = widths
    .slice(1)
    .reduce((sum, width, layer) => sum + width * ((widths[layer] ?? 0) + 1), 0);
  return 2 * inputs + HORIZON * ofNetwork;
}

function variantOf(next: Numbers, inputs: number, hidden: readonly number[]): TtpVariant {
  const mean = next(inputs);
  const deviation = next(inputs);
  if (!deviation.every((each) => each >= LEAST_DEVIATION))
    throw new Error('it has a standard deviation that is not above 0');
  const widths = widthsOf(inputs, hidden);
  const networks = Array.from({ length: HORIZON }, () =>
    widths
      .slice(1)
      .map((width, layer) => ({ weights: next(width * (widths[layer] ?? 0)), biases: next(width) })),
  );
  return { mean, deviation, networks };
}
