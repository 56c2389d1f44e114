import { isObject } from '../check/types.ts';
import type { Expr } from '../ir.ts';
import { unhandled } from '../unhandled.ts';
import type { Body } from './body.ts';
import { variableName } from './body.ts';
import { insertCode, sliceCode } from './operators.ts';
import { asNumber, fieldName } from './representation.ts';

/** A location that holds a value. Evaluated once, then read and written (P4_16 §6.8 evaluates an lvalue once). */
export interface Place {
  readonly read: string;
  /** Returns the line that assigns the code's value. */
  write(code: string): string;
}

export function place(b: Body, e: Expr): Place {
  if (e.op === 'slice') {
    const whole = place(b, e.base);
    return {
      read: sliceCode(whole.read, e.base.type, e.high, e.low),
      write: (code) => whole.write(insertCode(whole.read, e.base.type, code, e.high, e.low)),
    };
  }
  const { name: read, union } = headerPlace(b, e);
  if (!isObject(e.type)) return { read, write: (code) => `${read} = ${code};` };
  return { read, write: (code) => `${read}.$set(${code});${union ? ` ${union}.$keep(${read});` : ''}` };
}

/**
 * Returns the code of a header's place and, if the header belongs to a union, of the union. The union must be updated
 * when the header becomes valid.
 */
export function headerPlace(b: Body, e: Expr): { name: string; union: string | undefined } {
  if (e.op !== 'field' || e.base.type.kind !== 'union') return { name: reference(b, e), union: undefined };
  const union = reference(b, e.base);
  return { name: `${union}.${fieldName(e.field)}`, union };
}

/** Returns the JavaScript of a place. A computed index is evaluated immediately. */
export function reference(b: Body, e: Expr): string {
  switch (e.op) {
    case 'variable':
      return variableName(e.variable);
    case 'field':
      return `${reference(b, e.base)}.${fieldName(e.field)}`;
    case 'element': {
      const base = reference(b, e.base);
      if (e.index.op === 'int') return `${base}.$at(${e.index.value})`;
      return b.spill(`${base}.$at(${asNumber(b.expression(e.index), e.index.type)})`);
    }
    case 'stack':
      return b.spill(`${reference(b, e.base)}.$${e.what}()`);
    default:
      throw new Error(`'${e.op}' is not a place`);
  }
}

/** Returns the variable and fields that lead to a place; undefined for a computed step. */
export function path(e: Expr): (string | undefined)[] {
  switch (e.op) {
    case 'variable':
      return [variableName(e.variable)];
    case 'field':
      return [...path(e.base), e.field];
    case 'element':
      return [...path(e.base), e.index.op === 'int' ? String(e.index.value) : undefined];
    case 'stack':
    case 'slice':
      return [...path(e.base), undefined];
    case 'int':
    case 'bool':
    case 'string':
    case 'unary':
    case 'binary':
    case 'conditional':
    case 'cast':
    case 'aggregate':
    case 'default':
    case 'call':
    case 'extern':
    case 'method':
    case 'builtin':
    case 'extract':
    case 'lookahead':
    case 'advance':
    case 'packetLength':
    case 'emit':
    case 'apply':
    case 'invoke':
    case 'object':
      return [];
    default:
      return unhandled(e);
  }
}

/** Whether the two places may overlap. */
export function mayOverlap(a: Expr, b: Expr): boolean {
  const left = path(a);
  const right = path(b);
  if (!left.length || !right.length) return false;
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at++) {
    const one = left[at];
    const other = right[at];
    if (one !== undefined && other !== undefined && one !== other) return false;
  }
  return true;
}

/** Whether writing to this place can invalidate other headers of a union. */
export function isInsideUnion(e: Expr): boolean {
  return (e.op === 'field' || e.op === 'element') && (e.base.type.kind === 'union' || isInsideUnion(e.base));
}

/** Whether evaluating the expression can have effects. */
export function hasEffects(e: Expr): boolean {
  switch (e.op) {
    case 'field':
    case 'stack':
    case 'slice':
      return hasEffects(e.base);
    case 'element':
      return hasEffects(e.base) || hasEffects(e.index);
    case 'unary':
    case 'cast':
      return hasEffects(e.operand);
    case 'binary':
      return hasEffects(e.left) || hasEffects(e.right);
    case 'conditional':
      return hasEffects(e.condition) || hasEffects(e.then) || hasEffects(e.otherwise);
    case 'aggregate':
      return e.parts.some(hasEffects);
    case 'int':
    case 'bool':
    case 'string':
    case 'variable':
    case 'default':
    case 'object':
    case 'lookahead':
    case 'packetLength':
      return false;
    case 'builtin':
      return e.name !== 'isValid' || hasEffects(e.base);
    case 'call':
    case 'extern':
    case 'method':
    case 'extract':
    case 'advance':
    case 'emit':
    case 'apply':
    case 'invoke':
      return true;
    default:
      return unhandled(e);
  }
}
