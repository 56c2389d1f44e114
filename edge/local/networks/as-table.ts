import { readFileSync } from 'node:fs';
import { errorLine } from '../../../system/error-line.ts';
import { LARGEST_AS } from '../../cluster.ts';
import { addressBits } from './address-bits.ts';

/** Returns the autonomous system number of an address; 0 if the table does not contain the address. */
export type LookUpAs = (address: string) => number;

/** The prefixes of one length: a map from the bits of a prefix to the autonomous system number. */
interface SameLength {
  readonly length: number;
  readonly systems: Map<bigint | number, number>;
}

/** A file with a table of prefixes, as read when the edge started. */
export interface AsTableFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads the file of a table. An edge reads the file once for all its processes, because a table that changes during an
 * experiment would move clients to other clusters. Throws an Error that names the file.
 */
export function readAsTableFile(path: string): AsTableFile {
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    throw new Error(`--as-table '${path}' cannot be read: ${errorLine(error)}`, { cause: error });
  }
}

/** Parses the file of a table. Throws an Error that names the file, the line and the expected format. */
export function parseAsTableFile({ path, text }: AsTableFile): LookUpAs {
  try {
    return parseAsTable(text);
  } catch (error) {
    throw new Error(`--as-table '${path}', ${errorLine(error)}`, { cause: error });
  }
}

/**
 * Parses lines of `PREFIX/LENGTH NUMBER`, or `PREFIX LENGTH NUMBER` as in RouteViews' prefix-to-AS files. Text after #
 * is a comment. Lookups use the longest matching prefix. If several systems announce a prefix (`64496_64497`,
 * `64496,64497`), the first is used. Throws an Error that names the line.
 */
export function parseAsTable(text: string): LookUpAs {
  const byWidth = { 32: new Map<number, SameLength>(), 128: new Map<number, SameLength>() };
  let [number, at] = [0, 0];
  // Parse line by line, because a table of the entire Internet has a million lines.
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? text.length : end).replace(/#.*/, '');
    at = end === -1 ? text.length : end + 1;
    number += 1;
    if (line.trim() === '') continue;
    const read = readLine(line);
    if (read === null) throw new Error(`line ${number}: '${line.trim().slice(0, 80)}'; expected ${EXPECTED}`);
    const { width, length, key, system } = read;
    const same = byWidth[width].get(length) ?? { length, systems: new Map<bigint | number, number>() };
    same.systems.set(key, system);
    byWidth[width].set(length, same);
  }
  const longestFirst = (lengths: Map<number, SameLength>) =>
    [...lengths.values()].sort((one, other) => other.length - one.length);
  const sorted = { 32: longestFirst(byWidth[32]), 128: longestFirst(byWidth[128]) };
  if (sorted[32].length + sorted[128].length === 0)
    throw new Error(`no line with a prefix; expected ${EXPECTED}`);
  return (address) => {
    const bits = addressBits(address);
    if (bits === null) return 0;
    for (const { length, systems } of sorted[bits.width]) {
      const system = systems.get(prefixKey(bits.value, bits.width, length));
      if (system !== undefined) return system;
    }
    return 0;
  };
}

const EXPECTED = "a prefix and the number of its autonomous system, such as '192.0.2.0/24 64496'";

function readLine(line: string): {
  readonly width: 32 | 128;
  readonly length: number;
  readonly key: bigint | number;
  readonly system: number;
} | null {
  const found = /^\s*([\da-f.:]+)(?:\/|\s+)(\d{1,3})\s+(?:AS)?(\d{1,10})(?:[_,][\d_,]*)?\s*$/i.exec(line);
  const [, address = '', lengthText = '', systemText = ''] = found ?? [];
  const bits = addressBits(address);
  const [length, system] = [Number(lengthText), Number(systemText)];
  if (bits === null || length > bits.width || system > LARGEST_AS) return null;
  // Reject a prefix such as 192.0.2.1/24, which has a typo in the address or the length.
  const rest = BigInt(bits.width - length);
  if ((bits.value >> rest) << rest !== bits.value) return null;
  return { width: bits.width, length, key: prefixKey(bits.value, bits.width, length), system };
}

/** Returns the bits of a prefix: a number for IPv4, which takes less memory than a bigint. */
function prefixKey(value: bigint, width: 32 | 128, length: number): bigint | number {
  const bits = value >> BigInt(width - length);
  return width === 32 ? Number(bits) : bits;
}
