import { isObject } from '../check/types.ts';
import type { Expr } from '../ir.ts';
import { lookaheadCode } from './bits.ts';
import type { Body } from './body.ts';
import { routineName, tableName, variableName } from './body.ts';
import { callRoutine, invokeUnit } from './calls.ts';
import { fieldsOf } from './classes.ts';
import { externCall, methodCall } from './externs.ts';
import { binaryCode, castCode, sliceCode, unaryCode } from './operators.ts';
import { asNumber, fieldName, literal } from './representation.ts';
import { builtinCode, emitCode, extractCode } from './statements.ts';

/**
 * Writes an expression. What has effects that JavaScript's own order does not keep (calls that copy out, tables,
 * extraction) is written as lines first; the text that is returned is then free of them, and is used exactly once.
 */
export function expression(b: Body, e: Expr): string {
  switch (e.op) {
    case 'int':
      return literal(e.value, e.type);
    case 'bool':
      return String(e.value);
    case 'string':
      return JSON.stringify(e.value);
    case 'variable':
      return variableName(e.variable);
    case 'field':
      return `${expression(b, e.base)}.${fieldName(e.field)}`;
    case 'element': {
      const [base = '', index = ''] = expressions(b, [e.base, e.index]);
      return `${base}.$at(${asNumber(index, e.index.type)})`;
    }
    case 'stack':
      return `${expression(b, e.base)}.$${e.what}()`;
    case 'slice':
      return sliceCode(expression(b, e.base), e.base.type, e.high, e.low);
    case 'unary':
      return unaryCode(e.operator, expression(b, e.operand), e.type);
    case 'binary': {
      if (e.operator === '&&' || e.operator === '||') return shortCircuit(b, e);
      const [left = '', right = ''] = expressions(b, [e.left, e.right]);
      return binaryCode(e.operator, left, right, e.left, e.right, e.type);
    }
    case 'conditional':
      return conditional(b, e);
    case 'cast':
      return castCode(expression(b, e.operand), e.operand.type, e.type);
    case 'aggregate':
      return aggregate(b, e);
    case 'default':
      return b.module.classes.zero(e.type);
    case 'call':
      return callRoutine(b, routineName(e.routine), e.routine, e.args);
    case 'extern':
      return externCall(b, e);
    case 'method':
      return methodCall(b, e);
    case 'builtin':
      return builtinCode(b, e);
    case 'extract':
      return extractCode(b, e);
    case 'lookahead':
      return lookaheadCode(b, e.type);
    case 'advance':
      b.line(`$in.advance(${expression(b, e.bits)});`);
      return '';
    case 'packetLength':
      return '$in.length';
    case 'emit':
      return emitCode(b, e.value);
    case 'apply':
      b.line(`${tableName(e.table)}();`);
      if (e.result === 'none') return '';
      if (e.result === 'action_run') return `${tableName(e.table)}$action`;
      return b.spill(e.result === 'hit' ? `${tableName(e.table)}$hit` : `!${tableName(e.table)}$hit`);
    case 'invoke':
      return invokeUnit(b, e);
    case 'object':
      return `object$${e.object.id}`;
  }
}

/** Several expressions from left to right: what a later one's effects could change is put aside first (P4_16 §8.1). */
export function expressions(b: Body, list: readonly Expr[]): string[] {
  const codes: string[] = [];
  for (const [at, e] of list.entries()) {
    const before = b.lines.length;
    const code = expression(b, e);
    if (b.lines.length > before) {
      const effects = b.lines.splice(before);
      for (let i = 0; i < at; i++) {
        const earlier = list[i];
        if (earlier && !isFixed(earlier)) codes[i] = b.spill(copied(earlier, codes[i] ?? ''));
      }
      b.lines.push(...effects);
    }
    codes.push(code);
  }
  return codes;
}

export const isFixed = (e: Expr): boolean =>
  e.op === 'int' || e.op === 'bool' || e.op === 'string' || e.op === 'object';

/** An object read from a place is shared with that place until it is copied. */
export function copied(e: Expr, code: string): string {
  const place = ['variable', 'field', 'element', 'stack', 'conditional'].includes(e.op);
  return place && isObject(e.type) ? `${code}.$copy()` : code;
}

/** A value that nobody else holds. */
export const fresh = (b: Body, e: Expr): string => copied(e, expression(b, e));

function shortCircuit(b: Body, e: Expr & { op: 'binary' }): string {
  const left = expression(b, e.left);
  let right = '';
  const effects = b.nested((inner) => {
    right = expression(inner, e.right);
  });
  if (!effects.length) return `(${left} ${e.operator} ${right})`;
  const result = b.module.unique('t');
  b.line(`let ${result} = ${left};`);
  b.line(`if (${e.operator === '&&' ? '' : '!'}${result}) {`);
  b.lines.push(...effects, `  ${result} = ${right};`, '}');
  return result;
}

function conditional(b: Body, e: Expr & { op: 'conditional' }): string {
  const condition = expression(b, e.condition);
  const arms = [e.then, e.otherwise].map((arm) => {
    let code = '';
    const effects = b.nested((inner) => {
      code = expression(inner, arm);
    });
    return { code, effects };
  });
  const [then, otherwise] = arms;
  if (!then || !otherwise) throw new Error('a conditional has two arms');
  if (!then.effects.length && !otherwise.effects.length)
    return `(${condition} ? ${then.code} : ${otherwise.code})`;
  const result = b.module.unique('t');
  b.line(`let ${result};`);
  b.line(`if (${condition}) {`);
  b.lines.push(...then.effects, `  ${result} = ${then.code};`, '} else {');
  b.lines.push(...otherwise.effects, `  ${result} = ${otherwise.code};`, '}');
  return result;
}

function aggregate(b: Body, e: Expr & { op: 'aggregate' }): string {
  const codes = expressions(b, e.parts);
  const made = b.spill(b.module.classes.zero(e.type));
  if (e.type.kind === 'header') b.line(`${made}.$valid = true;`);
  const names =
    e.type.kind === 'stack'
      ? e.parts.map((_, at) => `$at(${at})`)
      : fieldsOf(e.type).map(({ name }) => fieldName(name));
  for (const [at, part] of e.parts.entries()) {
    const place = `${made}.${names[at] ?? ''}`;
    const code = codes[at] ?? '';
    if (part.op === 'default') continue;
    b.line(isObject(part.type) ? `${place}.$set(${code});` : `${place} = ${code};`);
  }
  return made;
}
