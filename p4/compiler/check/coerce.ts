import type { Expr } from '../ir.ts';
import type { Span } from '../source.ts';
import { fits, wrap } from './constants.ts';
import type { Context } from './context.ts';
import { isBits, isStruct, sameType, typeKey, underlying } from './types.ts';
import type { Type } from './types.ts';

/** Applies the implicit casts of P4_16 §8.12.2, or reports an error. */
export function coerce(c: Context, expr: Expr, to: Type): Expr {
  return implicitCast(c, expr, to) ?? mismatch(c, expr.span, to, expr.type);
}

function mismatch(c: Context, span: Span, wanted: Type, found: Type): never {
  return c.shared.diagnostics.fail(span, `expected ${typeKey(wanted)} but found ${typeKey(found)}`);
}

export function implicitCast(c: Context, expr: Expr, to: Type): Expr | undefined {
  const { type, span } = expr;
  if (sameType(type, to)) return expr;
  if (type.kind === 'integer' && expr.op === 'int' && isBits(underlying(to)) && to.kind !== 'serializable') {
    if (!fits(expr.value, to) && !fits(expr.value, { kind: 'bit', width: bitWidthOrZero(to) }))
      c.shared.diagnostics.warning(span, `${expr.value} does not fit ${typeKey(to)}; its low bits are taken`);
    return { op: 'int', value: wrap(expr.value, to), type: to, span };
  }
  if (type.kind === 'serializable' && sameType(type.underlying, to))
    return expr.op === 'int' ? { ...expr, type: to } : { op: 'cast', operand: expr, type: to, span };
  if (type.kind === 'invalidHeader' && (to.kind === 'header' || to.kind === 'union'))
    return { op: 'default', type: to, span };
  if (expr.op === 'aggregate') return castAggregate(c, expr, to);
  return undefined;
}

function bitWidthOrZero(type: Type): number {
  const actual = underlying(type);
  return isBits(actual) ? actual.width : 0;
}

/** Converts a list or record to the expected struct, header, tuple or stack. */
function castAggregate(c: Context, expr: Expr & { op: 'aggregate' }, to: Type): Expr | undefined {
  const { type, parts, span } = expr;
  if (type.kind === 'struct' && isStruct(to)) {
    if (type.name !== '' || type.fields.length !== to.fields.length) return undefined;
    const ordered = to.fields.map((field) => {
      const part = parts[type.fields.findIndex(({ name }) => name === field.name)];
      return part && implicitCast(c, part, field.type);
    });
    return complete(ordered) ? { op: 'aggregate', parts: ordered, type: to, span } : undefined;
  }
  if (type.kind !== 'tuple') return undefined;
  const wanted = partTypes(to);
  if (wanted?.length !== parts.length) return undefined;
  const cast = parts.map((part, at) => {
    const partType = wanted[at];
    return partType && implicitCast(c, part, partType);
  });
  return complete(cast) ? { op: 'aggregate', parts: cast, type: to, span } : undefined;
}

const complete = (parts: (Expr | undefined)[]): parts is Expr[] => parts.every((part) => part !== undefined);

/** The element types of a list that can be converted to this type. */
export function partTypes(type: Type): Type[] | undefined {
  if (type.kind === 'struct' || type.kind === 'header') return type.fields.map((field) => field.type);
  if (type.kind === 'tuple') return [...type.elements];
  if (type.kind === 'stack') return Array.from({ length: type.size }, () => type.element);
  return undefined;
}

/** Checks an explicit cast (P4_16 §8.12.1). */
export function explicitCast(c: Context, expr: Expr, to: Type, span: Span): Expr {
  if (expr.op === 'int' && expr.type.kind === 'integer' && isBits(underlying(to)))
    return { op: 'int', value: wrap(expr.value, to), type: to, span };
  const implicit = implicitCast(c, expr, to);
  if (implicit) return { ...implicit, span };
  const from = underlying(expr.type);
  const target = underlying(to);
  const make = (value: bigint | boolean): Expr =>
    typeof value === 'boolean'
      ? { op: 'bool', value, type: to, span }
      : { op: 'int', value: wrap(value, to), type: to, span };
  if (expr.op === 'int' && (isBits(from) || from.kind === 'integer')) {
    if (from.kind === 'integer' && isBits(target)) return make(expr.value);
    if (isBits(from) && target.kind === 'integer') return make(expr.value);
    if (target.kind === 'bool' && (expr.value === 0n || expr.value === 1n)) return make(expr.value === 1n);
    if (isBits(from) && isBits(target) && allowed(from, target)) return make(expr.value);
  }
  if (expr.op === 'bool' && target.kind === 'bit' && target.width === 1) return make(expr.value ? 1n : 0n);
  if (!allowed(from, target))
    return c.shared.diagnostics.fail(
      span,
      `cannot cast ${typeKey(expr.type)} to ${typeKey(to)} (P4_16 §8.12)`,
    );
  return { op: 'cast', operand: expr, type: to, span };
}

function allowed(from: Type, to: Type): boolean {
  if (sameType(from, to)) return true;
  if (isBits(from) && isBits(to)) return from.kind === to.kind || from.width === to.width;
  const oneBit = (type: Type): boolean => type.kind === 'bit' && type.width === 1;
  return (from.kind === 'bool' && oneBit(to)) || (oneBit(from) && to.kind === 'bool');
}
