import type { BinaryOperator, Expression } from '../ast.ts';
import type { Expr } from '../ir.ts';
import type { Span } from '../source.ts';
import { coerce, implicitCast } from './coerce.ts';
import { ConstantError, foldBinary, foldUnary, wrap } from './constants.ts';
import type { Context } from './context.ts';
import { check } from './expressions.ts';
import { BOOL, bit, isBits, sameType, typeKey, underlying } from './types.ts';
import type { Type } from './types.ts';

export function checkUnary(
  c: Context,
  node: Expression & { kind: 'unary' },
  expected: Type | undefined,
): Expr {
  const { operator, span } = node;
  const operand = check(c, node.operand, operator === '!' ? BOOL : expected);
  if (operator === '!') {
    if (operand.type.kind !== 'bool')
      return c.shared.diagnostics.fail(span, `'!' requires bool, not ${typeKey(operand.type)}`);
    if (operand.op === 'bool') return { ...operand, value: !operand.value, span };
    return { op: 'unary', operator, operand, type: BOOL, span };
  }
  const type = underlying(operand.type);
  if (!isBits(type) && !(type.kind === 'integer' && operator !== '~'))
    return c.shared.diagnostics.fail(span, `'${operator}' does not apply to ${typeKey(operand.type)}`);
  if (operand.op === 'int')
    return { ...operand, value: foldUnary(operator, operand.value, type), type: operand.type, span };
  if (operator === '+') return operand;
  return { op: 'unary', operator, operand, type: operand.type, span };
}

export function checkBinary(c: Context, node: Expression & { kind: 'binary' }): Expr {
  const { operator, span } = node;
  if (operator === '==' || operator === '!=') {
    const literal = (side: Expression): boolean => ['list', 'record', 'invalid'].includes(side.kind);
    const right = literal(node.left) ? check(c, node.right) : undefined;
    const left = check(c, node.left, right?.type);
    return binary(
      c,
      operator,
      left,
      right ?? check(c, node.right, literal(node.right) ? left.type : undefined),
      span,
    );
  }
  return binary(c, operator, check(c, node.left), check(c, node.right), span);
}

/** Determines the type of a binary operation on checked operands, and folds constants. */
export function binary(c: Context, operator: BinaryOperator, a: Expr, b: Expr, span: Span): Expr {
  const { diagnostics } = c.shared;
  if (operator === '&&' || operator === '||') {
    const left = coerce(c, a, BOOL);
    const right = coerce(c, b, BOOL);
    if (left.op === 'bool') return left.value === (operator === '&&') ? right : { ...left, span };
    return { op: 'binary', operator, left, right, type: BOOL, span };
  }
  if (operator === '++') return concatenation(c, a, b, span);
  if (operator === '<<' || operator === '>>') return shift(c, operator, a, b, span);
  const [left, right] = toCommonType(c, a, b, operator, span);
  const type = underlying(left.type);
  const equality = operator === '==' || operator === '!=';
  const comparison = equality || ['<', '<=', '>', '>='].includes(operator);
  const numeric = isBits(type) || type.kind === 'integer';
  if (!numeric && !(equality && !['void', 'extern', 'applyResult', 'integer'].includes(type.kind)))
    return diagnostics.fail(span, `'${operator}' does not apply to ${typeKey(left.type)}`);
  if ((operator === '/' || operator === '%') && type.kind === 'int')
    return diagnostics.fail(span, `'${operator}' is not defined on ${typeKey(left.type)} (P4_16 §8.8)`);
  if (operator.startsWith('|') && operator !== '|' && type.kind === 'integer')
    return diagnostics.fail(
      span,
      `'${operator}' is not defined on arbitrary-precision integers (P4_16 §8.9)`,
    );
  const resultType = comparison ? BOOL : left.type;
  if (left.op === 'int' && right.op === 'int')
    return folded(c, operator, left.value, right.value, type, resultType, span);
  const same = equality ? sameConstants(left, right) : undefined;
  if (same !== undefined) return { op: 'bool', value: same === (operator === '=='), type: BOOL, span };
  if ((operator === '/' || operator === '%') && right.op === 'int' && right.value === 0n)
    return diagnostics.fail(span, 'division by zero');
  return { op: 'binary', operator, left, right, type: resultType, span };
}

/** Whether two values of the same type are equal; undefined unless both are constant. */
function sameConstants(a: Expr, b: Expr): boolean | undefined {
  if (a.op === 'aggregate' && b.op === 'aggregate') {
    const parts = a.parts.map((part, at) => b.parts[at] && sameConstants(part, b.parts[at]));
    return parts.includes(undefined) ? undefined : !parts.includes(false);
  }
  const known = (a.op === 'int' && b.op === 'int') || (a.op === 'bool' && b.op === 'bool');
  return known ? a.value === b.value : undefined;
}

function folded(
  c: Context,
  operator: BinaryOperator,
  a: bigint,
  b: bigint,
  type: Type,
  resultType: Type,
  span: Span,
): Expr {
  try {
    const value = foldBinary(operator, a, b, type);
    return typeof value === 'boolean'
      ? { op: 'bool', value, type: BOOL, span }
      : { op: 'int', value, type: resultType, span };
  } catch (error) {
    if (error instanceof ConstantError) return c.shared.diagnostics.fail(span, error.message);
    throw error;
  }
}

/**
 * Converts the operands to a common type: a literal to the type of the other operand, a serializable enum to its
 * underlying type.
 */
function toCommonType(c: Context, a: Expr, b: Expr, operator: string, span: Span): [Expr, Expr] {
  if (sameType(a.type, b.type)) return [a, b];
  const right = implicitCast(c, b, a.type);
  if (right) return [a, right];
  const left = implicitCast(c, a, b.type);
  if (left) return [left, b];
  const plainA = toUnderlying(c, a);
  const plainB = toUnderlying(c, b);
  if (plainA !== a || plainB !== b) return toCommonType(c, plainA, plainB, operator, span);
  return c.shared.diagnostics.fail(
    span,
    `'${operator}' requires two values of the same type, not ${typeKey(a.type)} and ${typeKey(b.type)}`,
  );
}

const toUnderlying = (c: Context, expr: Expr): Expr =>
  expr.type.kind === 'serializable' ? coerce(c, expr, expr.type.underlying) : expr;

function concatenation(c: Context, a: Expr, b: Expr, span: Span): Expr {
  if (a.op === 'string' && b.op === 'string')
    return { op: 'string', value: a.value + b.value, type: a.type, span };
  const left = toUnderlying(c, a);
  const right = toUnderlying(c, b);
  const leftType = underlying(left.type);
  const rightType = underlying(right.type);
  if (!isBits(leftType) || !isBits(rightType))
    return c.shared.diagnostics.fail(
      span,
      `'++' requires operands of known width, not ${typeKey(left.type)} and ${typeKey(right.type)} (P4_16 §8.7)`,
    );
  const type: Type = { kind: leftType.kind, width: leftType.width + rightType.width };
  if (left.op === 'int' && right.op === 'int') {
    const value = (left.value << BigInt(rightType.width)) | BigInt.asUintN(rightType.width, right.value);
    return { op: 'int', value: wrap(value, type), type, span };
  }
  return { op: 'binary', operator: '++', left, right, type, span };
}

function shift(c: Context, operator: '<<' | '>>', a: Expr, b: Expr, span: Span): Expr {
  const left = toUnderlying(c, a);
  const right = toUnderlying(c, b);
  const type = underlying(left.type);
  const amount = underlying(right.type);
  if (!isBits(type) && type.kind !== 'integer')
    return c.shared.diagnostics.fail(span, `'${operator}' does not apply to ${typeKey(left.type)}`);
  if (amount.kind !== 'bit' && !(right.op === 'int' && right.value >= 0n))
    return c.shared.diagnostics.fail(
      span,
      `the amount of a shift must be unsigned, not ${typeKey(right.type)} (P4_16 §8.7)`,
    );
  if (left.op === 'int' && right.op === 'int')
    return folded(c, operator, left.value, right.value, type, left.type, span);
  if (type.kind === 'integer')
    return c.shared.diagnostics.fail(span, 'the left side of this shift needs a width, such as 8w1');
  return { op: 'binary', operator, left, right, type: left.type, span };
}

/** Checks `x[high:low]` (P4_16 §8.7). */
export function checkSlice(c: Context, node: Expression & { kind: 'slice' | 'part' }): Expr {
  const { diagnostics } = c.shared;
  const { span } = node;
  const base = toUnderlying(c, check(c, node.base));
  const type = underlying(base.type);
  const constant = (of: Expression): number => {
    const expr = check(c, of);
    if (expr.op !== 'int')
      return diagnostics.fail(of.span, 'the bounds of a slice must be known at compile time');
    return Number(expr.value);
  };
  const low = constant(node.low);
  const high = node.kind === 'slice' ? constant(node.high) : low + constant(node.width) - 1;
  if (base.op === 'int' && type.kind === 'integer') {
    if (high < low || low < 0)
      return diagnostics.fail(span, `the slice [${high}:${low}] is empty or below bit 0`);
    const result = bit(high - low + 1);
    return { op: 'int', value: wrap(base.value >> BigInt(low), result), type: result, span };
  }
  if (!isBits(type)) return diagnostics.fail(span, `a slice of ${typeKey(base.type)} (P4_16 §8.7)`);
  if (low < 0 || high < low || high >= type.width)
    return diagnostics.fail(span, `the slice [${high}:${low}] is outside ${typeKey(base.type)}`);
  const result = bit(high - low + 1);
  if (base.op === 'int')
    return { op: 'int', value: wrap(base.value >> BigInt(low), result), type: result, span };
  // A slice of a slice becomes a single slice.
  if (base.op === 'slice')
    return { op: 'slice', base: base.base, high: base.low + high, low: base.low + low, type: result, span };
  return { op: 'slice', base, high, low, type: result, span };
}

export function checkConditional(
  c: Context,
  node: Expression & { kind: 'conditional' },
  expected: Type | undefined,
): Expr {
  const condition = coerce(c, check(c, node.condition), BOOL);
  const [then, otherwise] = toCommonType(
    c,
    check(c, node.then, expected),
    check(c, node.otherwise, expected),
    '?:',
    node.span,
  );
  if (condition.op === 'bool') return condition.value ? then : otherwise;
  if (then.type.kind === 'integer') {
    if (!expected || !isBits(underlying(expected)))
      return c.shared.diagnostics.fail(
        node.span,
        "the arms of '?:' need a width, such as 8w1 (P4_16 §8.5.1)",
      );
    return {
      op: 'conditional',
      condition,
      then: coerce(c, then, expected),
      otherwise: coerce(c, otherwise, expected),
      type: expected,
      span: node.span,
    };
  }
  return { op: 'conditional', condition, then, otherwise, type: then.type, span: node.span };
}
