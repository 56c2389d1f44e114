/* Operations on whole headers: validity, extraction from the packet, emission to the packet. */
import type { Type } from '../check/types.ts';
import type { Expr } from '../ir.ts';
import { unhandled } from '../unhandled.ts';
import { emitFunction, extractFunction, variableSize } from './bits.ts';
import type { Body } from './body.ts';
import { headerPlace, reference } from './places.ts';
import { fieldName } from './representation.ts';

/** Generates `isValid`, `setValid`, `setInvalid`, `push_front` and `pop_front` (P4_16 §8.18-8.20). */
export function builtinCode(b: Body, e: Expr & { op: 'builtin' }): string {
  const { name } = e;
  if (name === 'isValid') return `${b.expression(e.base)}.$valid`;
  const { name: target, union } = headerPlace(b, e.base);
  switch (name) {
    case 'setValid':
      b.line(`${target}.$valid = true;`);
      if (union) b.line(`${union}.$keep(${target});`);
      break;
    case 'setInvalid':
      b.line(`${target}.$valid = false;`);
      break;
    case 'push_front':
      b.line(`${target}.$pushFront(${e.count});`);
      break;
    case 'pop_front':
      b.line(`${target}.$popFront(${e.count});`);
      break;
    default:
      return unhandled(name);
  }
  return '';
}

/** Generates `extract` (P4_16 §13.8.1 and §13.8.2). */
export function extractCode(b: Body, e: Expr & { op: 'extract' }): string {
  const name = extractFunction(b.module, e.headerType);
  // Even extraction into `_` must run, because it rejects a packet that is too short.
  const { name: target, union } = e.header
    ? headerPlace(b, e.header)
    : { name: b.module.classes.zero(e.headerType), union: undefined };
  const size = e.size ? `, ${variableSize(b, e.size)}` : '';
  b.line(`${name}(${target}${size});`);
  if (union) b.line(`${union}.$keep(${target});`);
  if (e.header) advanceStack(b, e.header);
  return '';
}

/** Extracting into `stack.next` advances `next` (P4_16 §8.19). The header may belong to a union in the stack. */
function advanceStack(b: Body, e: Expr): void {
  if (e.op === 'stack' && e.what === 'next') b.line(`${reference(b, e.base)}.$advance();`);
  else if (e.op === 'field') advanceStack(b, e.base);
}

/** Generates `emit` (P4_16 §16). */
export function emitCode(b: Body, value: Expr): string {
  emitValue(b, value.type, b.spill(b.expression(value)));
  return '';
}

function emitValue(b: Body, type: Type, code: string): void {
  switch (type.kind) {
    case 'header':
      b.line(`${emitFunction(b.module, type)}(${code});`);
      return;
    case 'stack':
      for (let at = 0; at < type.size; at++) emitValue(b, type.element, `${code}.$at(${at})`);
      return;
    case 'struct':
    case 'union':
      for (const field of type.fields) emitValue(b, field.type, `${code}.${fieldName(field.name)}`);
      return;
    case 'tuple':
      for (const [at, element] of type.elements.entries()) emitValue(b, element, `${code}._${at}`);
  }
}
