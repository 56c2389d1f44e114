/*
 * Representation of P4 values in JavaScript, chosen by type at compile time. Numbers up to 32 bits are JavaScript
 * numbers, wider numbers are BigInts, and both are always within the range of their type. Booleans are booleans; enums
 * and errors are indices. Structs, headers, stacks and tuples are objects, which are copied and never shared.
 */
import { wrap } from '../check/constants.ts';
import { isBits, underlying } from '../check/types.ts';
import type { Type } from '../check/types.ts';

export type Representation = 'number' | 'bigint' | 'boolean' | 'string' | 'varbit' | 'object';

export function representation(type: Type): Representation {
  const actual = underlying(type);
  switch (actual.kind) {
    case 'bit':
    case 'int':
      return actual.width <= 32 ? 'number' : 'bigint';
    case 'integer':
      return 'bigint';
    case 'bool':
      return 'boolean';
    case 'string':
      return 'string';
    case 'varbit':
      return 'varbit';
    case 'enum':
    case 'error':
      return 'number';
    default:
      return 'object';
  }
}

export function literal(value: bigint, type: Type): string {
  const text = representation(type) === 'bigint' ? `${value}n` : value.toString();
  return value < 0n ? `(${text})` : text;
}

export function bitWidth(type: Type): number {
  const actual = underlying(type);
  if (isBits(actual)) return actual.width;
  return actual.kind === 'bool' ? 1 : 32;
}

export const isSigned = (type: Type): boolean => underlying(type).kind === 'int';

/**
 * Returns the conversion of an external value (of a table entry or register) to the representation of its type;
 * undefined if the type is not numeric.
 */
export function valueConverter(type: Type): ((value: bigint) => number | bigint | boolean) | undefined {
  const how = representation(type);
  if (how === 'boolean') return (value) => value !== 0n;
  if (how !== 'number' && how !== 'bigint') return undefined;
  return (value) => (how === 'bigint' ? wrap(value, type) : Number(wrap(value, type)));
}

/** The mask of `width` one bits, in hexadecimal. */
export const mask = (width: number): string => `0x${(2 ** width - 1).toString(16)}`;

/** Wraps the result of an operation to the range of its type. */
export function wrapNumber(code: string, width: number, signed: boolean): string {
  if (signed) return width === 32 ? `(${code} | 0)` : `((${code}) << ${32 - width} >> ${32 - width})`;
  if (width === 0) return `((${code}) & 0)`;
  return width === 32 ? `((${code}) >>> 0)` : `((${code}) & ${mask(width)})`;
}

export function wrapBig(code: string, width: number, signed: boolean): string {
  return `BigInt.as${signed ? 'Int' : 'Uint'}N(${width}, ${code})`;
}

/** Converts between number types: narrows, widens, or changes the signedness. */
export function convertBits(code: string, from: Type, to: Type): string {
  const a = representation(from);
  const b = representation(to);
  const width = bitWidth(to);
  const signed = isSigned(to);
  const keeps = isSigned(from) === signed && bitWidth(from) <= width && from.kind !== 'integer';
  if (a === 'number' && b === 'number') return keeps ? code : wrapNumber(code, width, signed);
  if (a === 'number') return keeps ? `BigInt(${code})` : wrapBig(`BigInt(${code})`, width, signed);
  if (b === 'number') return `Number(${wrapBig(code, width, signed)})`;
  return keeps ? code : wrapBig(code, width, signed);
}

export const asBig = (code: string, type: Type): string =>
  representation(type) === 'bigint' ? code : `BigInt(${code})`;
export const asNumber = (code: string, type: Type): string =>
  representation(type) === 'bigint' ? `Number(${code})` : code;

/** Converts a value to unsigned bits, for keys, packets and checksums. */
export function unsignedBits(code: string, type: Type): string {
  const actual = underlying(type);
  if (actual.kind === 'bool') return `(${code} ? 1 : 0)`;
  if (actual.kind !== 'int') return code;
  return actual.width <= 32 ? wrapNumber(code, actual.width, false) : wrapBig(code, actual.width, false);
}

/** Converts a BigInt result of an extern to its type. */
export function fromBig(code: string, type: Type): string {
  const actual = underlying(type);
  if (actual.kind !== 'bit' && actual.kind !== 'int') return code;
  const big = wrapBig(code, actual.width, actual.kind === 'int');
  return representation(type) === 'bigint' ? big : `Number(${big})`;
}

/** Field names with a special meaning in JavaScript. */
const RESERVED_FIELD_NAMES = new Set(['constructor', '__proto__', 'prototype']);
export const fieldName = (name: string): string => (RESERVED_FIELD_NAMES.has(name) ? `${name}$` : name);
