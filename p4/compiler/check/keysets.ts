import type { Expression } from '../ast.ts';
import type { Expr, KeyMatch, Keyset } from '../ir.ts';
import type { Context } from './context.ts';
import { checkAs } from './expressions.ts';
import { isBits, typeKey, underlying } from './types.ts';
import type { Type } from './types.ts';

/** Checks one element of a key set for a key of this type (P4_16 §8.16). */
export function checkKeyset(c: Context, node: Expression, type: Type): Keyset {
  /**
   * Checks a number in a key set: a bound of a range, a mask, or the value before a mask. A serializable enum is
   * converted to its underlying type.
   */
  const numeric = (bound: Expression): Expr => {
    if (!isBits(underlying(type)))
      c.shared.diagnostics.fail(node.span, `a mask or a range of ${typeKey(type)} (P4_16 §8.16)`);
    return checkAs(c, bound, type.kind === 'serializable' ? type.underlying : type);
  };
  switch (node.kind) {
    case 'any':
      return { kind: 'any' };
    case 'mask':
      return { kind: 'mask', value: numeric(node.value), mask: numeric(node.mask) };
    case 'range':
      return { kind: 'range', low: numeric(node.low), high: numeric(node.high) };
    case 'name': {
      const symbol = c.scope.find(node.name);
      if (symbol?.kind === 'valueSet') return { kind: 'set', set: symbol.set };
    }
  }
  return { kind: 'value', value: checkAs(c, node, type) };
}

/** Checks one key of a table entry, which must be constant. */
export function checkEntryKey(c: Context, node: Expression, type: Type, width: number): KeyMatch {
  const set = checkKeyset(c, node, type);
  const constant = (expr: { op: string; value?: unknown; span: Expression['span'] }): bigint => {
    if (expr.op === 'bool') return expr.value ? 1n : 0n;
    if (expr.op !== 'int' || typeof expr.value !== 'bigint')
      return c.shared.diagnostics.fail(
        expr.span,
        'the keys of an entry must be known at compile time (P4_16 §14.2.1.4)',
      );
    return BigInt.asUintN(width, expr.value);
  };
  switch (set.kind) {
    case 'any':
      return { kind: 'any' };
    case 'mask':
      return { kind: 'mask', value: constant(set.value), mask: constant(set.mask) };
    case 'range':
      return { kind: 'range', low: constant(set.low), high: constant(set.high) };
    case 'set':
      return c.shared.diagnostics.fail(node.span, 'a value set is only allowed in parsers (P4_16 §13.11)');
    case 'value':
      return { kind: 'value', value: constant(set.value) };
  }
}

/** The width in bits of a table key of this type. Symbolic values have 32 bits, as in BMv2. */
export function keyWidth(type: Type): number | undefined {
  const actual = underlying(type);
  if (isBits(actual)) return actual.width;
  if (actual.kind === 'bool') return 1;
  return actual.kind === 'enum' || actual.kind === 'error' ? 32 : undefined;
}
