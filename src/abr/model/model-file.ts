import { isRecord } from '../../records.ts';

/**
 * The file of a learnt model, as `npm run learn` and `npm run lab -- learn-rule` write it: a line of JSON with `format` and
 * `version`, filled up with spaces so that the numbers behind it begin at a multiple of four bytes, and then float32,
 * little-endian.
 */
export interface ModelFile {
  readonly header: Readonly<Record<string, unknown>>;
  /** Throws an Error where there are not so many numbers, or one is out of range. */
  readonly numbers: (count: number) => Numbers;
}

/** Reads from the front, piece by piece. */
export type Numbers = (count: number) => Float32Array;

/** What a file must be. */
export interface ModelKind {
  readonly format: string;
  /** A file of another version is refused: what its inputs mean may be another. */
  readonly version: number;
  /** In messages. */
  readonly what: string;
}

/**
 * Training ends with no number that is larger. With such, sums could be more than float32 has, and what a model says no
 * numbers: a choice by them would be the top rung whatever the network.
 */
export const LARGEST = 1e4;
/** Beyond this a header is none of ours. */
const LONGEST_HEADER_BYTES = 65_536;
const NEWLINE = 10;

/** Opens a model's file. Throws an Error that says what is wrong with it. */
export function openModelFile(
  file: ArrayBuffer | Uint8Array,
  { format, version, what }: ModelKind,
): ModelFile {
  // Of another frame, too, or another view.
  const bytes = ArrayBuffer.isView(file)
    ? new Uint8Array(file.buffer, file.byteOffset, file.byteLength)
    : new Uint8Array(file);
  const end = bytes.subarray(0, LONGEST_HEADER_BYTES).indexOf(NEWLINE);
  const header = end < 0 ? undefined : jsonOf(bytes.subarray(0, end));
  if (!isRecord(header) || header.format !== format) {
    // What a server of a single-page application gives for any address.
    const isMarkup = /^\s*</.test(String.fromCharCode(...bytes.subarray(0, 100)));
    throw new Error(`it is no ${what}${isMarkup ? ', but HTML or XML' : ''}`);
  }
  if (header.version !== version)
    throw new Error(`it has version ${String(header.version)} and not ${version}`);
  return { header, numbers: (count) => numbersOf(bytes.subarray(end + 1), count) };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(String.fromCharCode(...bytes));
  } catch {
    return undefined;
  }
}

function numbersOf(bytes: Uint8Array, count: number): Numbers {
  const found = bytes.length / 4;
  if (found !== count)
    throw new Error(`it has ${found} numbers and not ${count}${found < count ? ': it is truncated' : ''}`);
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
