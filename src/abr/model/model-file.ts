import { isRecord } from '../../records.ts';

/**
 * A learned model's file, as `npm run learn` and `npm run lab -- learn-rule` write it: a line of JSON with `format` and
 * `version`, padded with spaces so that the numbers after it start at a multiple of four bytes, then little-endian float32,
 * then int8, if the format has any.
 */
export interface ModelFile {
  readonly header: Readonly<Record<string, unknown>>;
  /** Throws an Error if the file has another length than these counts imply, or a number is out of range. */
  readonly numbers: (floats: number, integers?: number) => Numbers;
}

/** Each function returns the next `count` numbers. */
export interface Numbers {
  readonly floats: (count: number) => Float32Array;
  readonly integers: (count: number) => Int8Array;
}

/** The expected kind of file. */
export interface ModelKind {
  readonly format: string;
  /** Files of other versions are rejected, because their inputs may have another meaning. */
  readonly version: number;
  /** The name of the kind in messages. */
  readonly what: string;
}

/**
 * Training never produces larger numbers. Larger ones could overflow float32 sums into NaN, and a choice by NaN would be the
 * top rung regardless of the network.
 */
export const LARGEST = 1e4;
/** Longer headers are not ours. */
const LONGEST_HEADER_BYTES = 65_536;
const NEWLINE = 10;
const FLOAT_BYTES = 4;

/** Opens a model file. Throws an Error that describes what is invalid. */
export function openModelFile(
  file: ArrayBuffer | Uint8Array,
  { format, version, what }: ModelKind,
): ModelFile {
  // The bytes may come from another frame or be another kind of view.
  const bytes = ArrayBuffer.isView(file)
    ? new Uint8Array(file.buffer, file.byteOffset, file.byteLength)
    : new Uint8Array(file);
  const end = bytes.subarray(0, LONGEST_HEADER_BYTES).indexOf(NEWLINE);
  const header = end < 0 ? undefined : parseJson(bytes.subarray(0, end));
  if (!isRecord(header) || header.format !== format) {
    // Servers of single-page applications return HTML for every URL.
    const isMarkup = /^\s*</.test(String.fromCharCode(...bytes.subarray(0, 100)));
    throw new Error(`it is no ${what}${isMarkup ? ', but HTML or XML' : ''}`);
  }
  if (header.version !== version)
    throw new Error(`it has version ${String(header.version)} and not ${version}`);
  return { header, numbers: (...counts) => readNumbers(bytes.subarray(end + 1), ...counts) };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(String.fromCharCode(...bytes));
  } catch {
    return undefined;
  }
}

function readNumbers(bytes: Uint8Array, floats: number, integers = 0): Numbers {
  const expected = FLOAT_BYTES * floats + integers;
  const found = bytes.length;
  if (found !== expected)
    throw new Error(
      `it has ${found} bytes of numbers and not ${expected}${found < expected ? ': it is truncated' : ''}`,
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const all = new Float32Array(floats);
  for (let index = 0; index < floats; index++) {
    const value = view.getFloat32(FLOAT_BYTES * index, true);
    if (!(Math.abs(value) <= LARGEST)) throw new Error(`its number ${index} is ${value}`);
    all[index] = value;
  }
  let at = 0;
  let place = bytes.byteOffset + FLOAT_BYTES * floats;
  return {
    floats: (count) => all.subarray(at, (at += count)),
    integers(count) {
      place += count;
      return new Int8Array(bytes.buffer, place - count, count);
    },
  };
}
