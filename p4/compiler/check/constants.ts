/* Arithmetic on constants: P4_16 §8.7 (bit), §8.8 (int), §8.9 (arbitrary precision). */
import type { BinaryOperator, UnaryOperator } from '../ast.ts';
import type { Expr } from '../ir.ts';
import { underlying } from './types.ts';
import type { Type } from './types.ts';

/** The maximum length of a constant in bits, so that `1 << (1 << 40)` does not exhaust memory. */
export const MAX_WIDTH = 65_536n;

export class ConstantError extends Error {}

/** Wraps a value to the range of its type, modulo 2^width. */
export function wrap(value: bigint, type: Type): bigint {
  const actual = underlying(type);
  if (actual.kind === 'bit') return BigInt.asUintN(actual.width, value);
  if (actual.kind === 'int') return BigInt.asIntN(actual.width, value);
  return value;
}

export function fits(value: bigint, type: Type): boolean {
  return wrap(value, type) === value;
}

export function foldUnary(operator: UnaryOperator, value: bigint, type: Type): bigint {
  if (operator === '-') return wrap(-value, type);
  return wrap(operator === '~' ? ~value : value, type);
}

export function foldBinary(operator: BinaryOperator, a: bigint, b: bigint, type: Type): bigint | boolean {
  switch (operator) {
    case '+':
      return wrap(a + b, type);
    case '-':
      return wrap(a - b, type);
    case '*':
      return wrap(a * b, type);
    case '/':
    case '%':
      if (b === 0n) throw new ConstantError('division by zero');
      if (type.kind === 'integer' && (a < 0n || b < 0n))
        throw new ConstantError(`'${operator}' is defined for positive values only`);
      return wrap(operator === '/' ? a / b : a % b, type);
    case '|+|':
      return saturate(a + b, type);
    case '|-|':
      return saturate(a - b, type);
    case '&':
      return wrap(a & b, type);
    case '|':
      return wrap(a | b, type);
    case '^':
      return wrap(a ^ b, type);
    case '<<':
    case '>>':
      if (b < 0n) throw new ConstantError('a shift by a negative amount');
      if (b > MAX_WIDTH) {
        if (operator === '>>') return a < 0n ? -1n : 0n;
        if (type.kind === 'integer') throw new ConstantError(`a shift by ${b} bits`);
        return 0n;
      }
      return wrap(operator === '<<' ? a << b : a >> b, type);
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    default:
      throw new ConstantError(`'${operator}' on numbers`);
  }
}

function saturate(value: bigint, type: Type): bigint {
  const actual = underlying(type);
  if (actual.kind !== 'bit' && actual.kind !== 'int') return value;
  const most = (1n << BigInt(actual.kind === 'bit' ? actual.width : actual.width - 1)) - 1n;
  const least = actual.kind === 'bit' ? 0n : -most - 1n;
  return value > most ? most : value < least ? least : value;
}

/** Whether the value is known at compile time. */
export function isConstant(expr: Expr): boolean {
  if (expr.op === 'aggregate') return expr.parts.every(isConstant);
  return expr.op === 'int' || expr.op === 'bool' || expr.op === 'string' || expr.op === 'default';
}
