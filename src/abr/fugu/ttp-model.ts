import { isRecord } from '../../records.ts';

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

export const TTP_FORMAT = 'dashjs-sammy-ttp';
/** A file of another version is refused: what its inputs mean may be another. */
export const TTP_VERSION = 2;
/** So many steps are planned, so many past downloads are looked at, and there are so many bins of time (thesis §2.3.5). */
export const HORIZON = 5;
export const HISTORY = 8;
export const BINS = 21;

/** Size, time and the pace's share of each past download, and how many there are; then TCP's five; then the size in question. */
export const PLAIN_INPUTS = 3 * HISTORY + 1 + 1;
export const TCP_INPUTS = PLAIN_INPUTS + 5;

/** Beyond this a header is none of ours, and a hidden layer too slow for a page. */
const LONGEST_HEADER_BYTES = 65_536;
const WIDEST_LAYER = 256;
const NEWLINE = 10;
/**
 * Training ends with no number that is larger, nor with a deviation that is nearer to 0. With such, sums could be more than
 * float32 has, and probabilities no numbers: a plan without any time would take the top rung whatever the network.
 */
const LARGEST = 1e4;
const LEAST_DEVIATION = 1e-7;

/** Reads a model's file. Throws an Error that says what is wrong with it. */
export function readTtpModel(file: ArrayBuffer | Uint8Array): TtpModel {
  // Of another frame, too, or another view.
  const bytes = ArrayBuffer.isView(file)
    ? new Uint8Array(file.buffer, file.byteOffset, file.byteLength)
    : new Uint8Array(file);
  const end = bytes.subarray(0, LONGEST_HEADER_BYTES).indexOf(NEWLINE);
  const header = end < 0 ? undefined : jsonOf(bytes.subarray(0, end));
  if (!isRecord(header) || header.format !== TTP_FORMAT) {
    // What a server of a single-page application gives for any address.
    const isMarkup = /^\s*</.test(String.fromCharCode(...bytes.subarray(0, 100)));
    throw new Error(`it is no model of transmission times${isMarkup ? ', but HTML or XML' : ''}`);
  }
  if (header.version !== TTP_VERSION)
    throw new Error(`it has version ${String(header.version)} and not ${TTP_VERSION}`);
  const hidden = [hiddenOf(header, 'tcp', TCP_INPUTS), hiddenOf(header, 'plain', PLAIN_INPUTS)] as const;
  const { times_s } = header;
  if (!isListOf(times_s, BINS, (each) => each > 0 && each <= LARGEST))
    throw new Error(`its times_s are not ${BINS} times`);
  const expected = variantLength(TCP_INPUTS, hidden[0]) + variantLength(PLAIN_INPUTS, hidden[1]);
  const found = (bytes.length - end - 1) / 4;
  if (found !== expected)
    throw new Error(
      `it has ${found} numbers and not ${expected}${found < expected ? ': it is truncated' : ''}`,
    );
  const numbers = numbersOf(bytes.subarray(end + 1), expected);
  return {
    tcp: variantOf(numbers, TCP_INPUTS, hidden[0]),
    plain: variantOf(numbers, PLAIN_INPUTS, hidden[1]),
    times_s,
    provenance: header.provenance,
  };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(String.fromCharCode(...bytes));
  } catch {
    return undefined;
  }
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

/** Reads from the front, piece by piece. */
type Numbers = (count: number) => Float32Array;

function numbersOf(bytes: Uint8Array, count: number): Numbers {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const all = new Float32Array(count);
  for (let index = 0; index < count; index++) {
    const value = view.getFloat32(4 * index, true);
    if (!(Math.abs(value) <= LARGEST)) throw new Error(`its number ${index} is ${value}`);
    all[index] = value;
  }
  let at = 0;
  return (length) => all.subarray(at, (at += length));
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
