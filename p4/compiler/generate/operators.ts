import { isBits, underlying } from '../check/types.ts';
import type { Type } from '../check/types.ts';
import type { Expr } from '../ir.ts';
import type { BinaryOperator } from '../ast.ts';
import { equality } from './classes.ts';
import {
  asBig,
  asNumber,
  convertBits,
  representation,
  isSigned,
  mask,
  bitWidth,
  wrapBig,
  wrapNumber,
} from './representation.ts';

/** Returns the code of a binary operation on two JavaScript operands. Uses each operand once. */
export function binaryCode(
  operator: BinaryOperator,
  a: string,
  b: string,
  left: Expr,
  right: Expr,
  type: Type,
): string {
  switch (operator) {
    case '==':
      return `(${equality(left.type, a, b)})`;
    case '!=':
      return `!(${equality(left.type, a, b)})`;
    case '<':
    case '<=':
    case '>':
    case '>=':
      return `(${a} ${operator} ${b})`;
    case '++':
      return concatenation(a, b, left.type, right.type, type);
    case '<<':
    case '>>':
      return shift(operator, a, b, left.type, right);
    default:
      return representation(type) === 'bigint'
        ? bigArithmetic(operator, a, b, type)
        : arithmetic(operator, a, b, type);
  }
}

function arithmetic(operator: BinaryOperator, a: string, b: string, type: Type): string {
  const width = bitWidth(type);
  const signed = isSigned(type);
  const most = signed ? 2 ** (width - 1) - 1 : 2 ** width - 1;
  const least = signed ? -(2 ** (width - 1)) : 0;
  switch (operator) {
    case '+':
    case '-':
      return wrapNumber(`${a} ${operator} ${b}`, width, signed);
    case '*':
      return wrapNumber(`Math.imul(${a}, ${b})`, width, signed);
    case '/':
      return `$rt.divide(${a}, ${b})`;
    case '%':
      return `$rt.remainder(${a}, ${b})`;
    case '|+|':
    case '|-|':
      return `Math.max(${least}, Math.min(${most}, ${a} ${operator === '|+|' ? '+' : '-'} ${b}))`;
    default:
      return width === 32 && !signed ? `((${a} ${operator} ${b}) >>> 0)` : `(${a} ${operator} ${b})`;
  }
}

function bigArithmetic(operator: BinaryOperator, a: string, b: string, type: Type): string {
  const width = bitWidth(type);
  const signed = isSigned(type);
  switch (operator) {
    case '+':
    case '-':
    case '*':
      return wrapBig(`${a} ${operator} ${b}`, width, signed);
    case '/':
      return `$rt.divideBig(${a}, ${b})`;
    case '%':
      return `$rt.remainderBig(${a}, ${b})`;
    case '|+|':
    case '|-|':
      return `$rt.saturateBig(${a} ${operator === '|+|' ? '+' : '-'} ${b}, ${width}, ${signed})`;
    default:
      return `(${a} ${operator} ${b})`;
  }
}

/** Shifting by the width or more results in 0, or in the sign (P4_16 §8.7). */
function shift(operator: '<<' | '>>', a: string, b: string, type: Type, right: Expr): string {
  const width = bitWidth(type);
  const signed = isSigned(type);
  if (representation(type) === 'bigint') {
    const name = operator === '<<' ? 'shiftLeftBig' : 'shiftRightBig';
    return wrapBig(`$rt.${name}(${a}, ${asNumber(b, right.type)}, ${width})`, width, signed);
  }
  if (right.op === 'int') {
    const amount = right.value;
    if (amount >= 32n) return operator === '<<' || !signed ? `(${a}, 0)` : `(${a} >> 31)`;
    if (operator === '<<') return wrapNumber(`${a} << ${amount}`, width, signed);
    return signed ? `(${a} >> ${amount})` : `(${a} >>> ${amount})`;
  }
  const amount = asNumber(b, right.type);
  if (operator === '<<') return wrapNumber(`$rt.shiftLeft(${a}, ${amount})`, width, signed);
  return signed ? `(${a} >> Math.min(31, ${amount}))` : `$rt.shiftRight(${a}, ${amount})`;
}

function concatenation(a: string, b: string, left: Type, right: Type, type: Type): string {
  const low = bitWidth(right);
  const signed = isSigned(type);
  const unsigned: Type = { kind: 'bit', width: low };
  const tail = convertBits(b, right, unsigned);
  if (representation(type) === 'number')
    return wrapNumber(`(${a} << ${low}) | ${tail}`, bitWidth(type), signed);
  return wrapBig(`(${asBig(a, left)} << ${low}n) | ${asBig(tail, unsigned)}`, bitWidth(type), signed);
}

export function unaryCode(operator: string, a: string, type: Type): string {
  if (operator === '!') return `!${a}`;
  const width = bitWidth(type);
  const signed = isSigned(type);
  return representation(type) === 'bigint'
    ? wrapBig(`${operator}${a}`, width, signed)
    : wrapNumber(`${operator}${a}`, width, signed);
}

export function castCode(a: string, from: Type, to: Type): string {
  const source = underlying(from);
  const target = underlying(to);
  if (source.kind === 'bool' && isBits(target)) return `(${a} ? 1 : 0)`;
  if (isBits(source) && target.kind === 'bool') return `(${a} === 1)`;
  if (isBits(source) && isBits(target)) return convertBits(a, source, target);
  return a;
}

export function sliceCode(a: string, type: Type, high: number, low: number): string {
  const width = high - low + 1;
  if (representation(type) === 'number') {
    const shifted = low ? `${a} >>> ${low}` : a;
    return width === 32 ? `((${shifted}) >>> 0)` : `((${shifted}) & ${mask(width)})`;
  }
  const cut = wrapBig(low ? `${a} >> ${low}n` : a, width, false);
  return width <= 32 ? `Number(${cut})` : cut;
}

/** Returns the code that replaces the bits `high` to `low` of `whole` with `part`. */
export function insertCode(whole: string, type: Type, part: string, high: number, low: number): string {
  const width = high - low + 1;
  if (representation(type) === 'number') {
    const hole = ((2 ** width - 1) * 2 ** low) >>> 0;
    return wrapNumber(
      `(${whole} & ~0x${hole.toString(16)}) | (${part} << ${low})`,
      bitWidth(type),
      isSigned(type),
    );
  }
  const hole = ((1n << BigInt(width)) - 1n) << BigInt(low);
  const bits = width <= 32 ? `BigInt(${part})` : part;
  return wrapBig(
    `(${whole} & ~0x${hole.toString(16)}n) | (${bits} << ${low}n)`,
    bitWidth(type),
    isSigned(type),
  );
}
