/*
 * How P4's values are held in JavaScript, chosen by type when the code is written: up to 32 bits a number, above
 * that a BigInt, both always in the range of their type; bool a boolean; enums and errors their index; structs,
 * headers, stacks and tuples objects that are copied, never shared.
 */
import { wrap } from '../check/constants.ts';
import { isBits, underlying } from '../check/types.ts';
import type { Type } from '../check/types.ts';

export type Held = 'number' | 'bigint' | 'boolean' | 'string' | 'varbit' | 'object';

export function held(type: Type): Held {
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
  const text = held(type) === 'bigint' ? `${value}n` : value.toString();
  return value < 0n ? `(${text})` : text;
}

export function widthOf(type: Type): number {
  const actual = underlying(type);
  if (isBits(actual)) return actual.width;
  return actual.kind === 'bool' ? 1 : 32;
}

export const isSigned = (type: Type): boolean => underlying(type).kind === 'int';

/** How a value that comes from outside, an entry's or a register's, is held; nothing if its type is no number. */
export function holder(type: Type): ((value: bigint) => number | bigint | boolean) | undefined {
  const how = held(type);
  if (how === 'boolean') return (value) => value !== 0n;
  if (how !== 'number' && how !== 'bigint') return undefined;
  return (value) => (how === 'bigint' ? wrap(value, type) : Number(wrap(value, type)));
}

/** The greatest number of `width` bits, as JavaScript's 32-bit operators want it. */
export const mask = (width: number): string => `0x${(2 ** width - 1).toString(16)}`;

/** Brings the result of an operation on numbers back into the range of its type. */
export function wrapNumber(code: string, width: number, signed: boolean): string {
  if (signed) return width === 32 ? `(${code} | 0)` : `((${code}) << ${32 - width} >> ${32 - width})`;
  if (width === 0) return `((${code}) & 0)`;
  return width === 32 ? `((${code}) >>> 0)` : `((${code}) & ${mask(width)})`;
}

export function wrapBig(code: string, width: number, signed: boolean): string {
  return `BigInt.as${signed ? 'Int' : 'Uint'}N(${width}, ${code})`;
}

/** A value of one number type as another: narrowing, widening, or between signed and unsigned. */
export function convertBits(code: string, from: Type, to: Type): string {
  const a = held(from);
  const b = held(to);
  const width = widthOf(to);
  const signed = isSigned(to);
  const keeps = isSigned(from) === signed && widthOf(from) <= width && from.kind !== 'integer';
  if (a === 'number' && b === 'number') return keeps ? code : wrapNumber(code, width, signed);
  if (a === 'number') return keeps ? `BigInt(${code})` : wrapBig(`BigInt(${code})`, width, signed);
  if (b === 'number') return `Number(${wrapBig(code, width, signed)})`;
  return keeps ? code : wrapBig(code, width, signed);
}

export const asBig = (code: string, type: Type): string =>
  held(type) === 'bigint' ? code : `BigInt(${code})`;
export const asNumber = (code: string, type: Type): string =>
  held(type) === 'bigint' ? `Number(${code})` : code;

/** A value as the unsigned bits it is made of: for keys, packets and checksums. */
export function unsignedBits(code: string, type: Type): string {
  const actual = underlying(type);
  if (actual.kind === 'bool') return `(${code} ? 1 : 0)`;
  if (actual.kind !== 'int') return code;
  return actual.width <= 32 ? wrapNumber(code, actual.width, false) : wrapBig(code, actual.width, false);
}

/** A BigInt that an extern gave, brought into its type. */
export function fromBig(code: string, type: Type): string {
  const actual = underlying(type);
  if (actual.kind !== 'bit' && actual.kind !== 'int') return code;
  const big = wrapBig(code, actual.width, actual.kind === 'int');
  return held(type) === 'bigint' ? big : `Number(${big})`;
}

/** Field names that already have a meaning in JavaScript. */
const TAKEN = new Set(['constructor', '__proto__', 'prototype']);
export const fieldName = (name: string): string => (TAKEN.has(name) ? `${name}$` : name);
