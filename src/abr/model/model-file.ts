import { isRecord } from '../../records.ts';

/**
 * A learned model's file, written by `npm run learn` or `npm run lab -- learn-rule`. It begins with a line of JSON with
 * `format` and `version`, padded with spaces to a multiple of four bytes. Little-endian float32 values follow, and int8
 * values in formats that use such values.
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
 * The largest valid absolute value of a number. Training never produces larger numbers. Larger numbers could overflow
 * float32 sums and lead to NaN, with which an algorithm would always choose the top rung.
 */
export const LARGEST = 1e4;
/** The longest valid header. */
const LONGEST_HEADER_BYTES = 65_536;
const NEWLINE = 10;
const FLOAT_BYTES = 4;

/** Opens a model file. Throws an Error that describes what is invalid. */
export function openModelFile(
  file: ArrayBuffer | Uint8Array,
  { format, version, what }: ModelKind,
): ModelFile {
  // `instanceof` would fail for bytes from another frame, and for other kinds of views.
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
