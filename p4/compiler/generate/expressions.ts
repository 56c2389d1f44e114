import { isObject } from '../check/types.ts';
import type { Expr } from '../ir.ts';
import { lookaheadCode } from './bits.ts';
import type { Body } from './body.ts';
import { routineName, tableName, variableName } from './body.ts';
import { callRoutine, invokeUnit } from './calls.ts';
import { getFields } from './classes.ts';
import { externCall, methodCall } from '../../externs/calls.ts';
import { binaryCode, castCode, sliceCode, unaryCode } from './operators.ts';
import { asNumber, fieldName, literal } from './representation.ts';
import { builtinCode, emitCode, extractCode } from './headers.ts';

/**
 * Generates an expression and returns its code, which the caller must use exactly once. Effects whose order JavaScript
 * would not preserve (calls that copy out, tables, extraction) are written as lines first. The returned code has no
 * such effects.
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
      return `${b.expression(e.base)}.${fieldName(e.field)}`;
    case 'element': {
      const [base = '', index = ''] = b.expressions([e.base, e.index]);
      return `${base}.$at(${asNumber(index, e.index.type)})`;
    }
    case 'stack':
      return `${b.expression(e.base)}.$${e.what}()`;
    case 'slice':
      return sliceCode(b.expression(e.base), e.base.type, e.high, e.low);
    case 'unary':
      return unaryCode(e.operator, b.expression(e.operand), e.type);
    case 'binary': {
      if (e.operator === '&&' || e.operator === '||') return shortCircuit(b, e);
      const [left = '', right = ''] = b.expressions([e.left, e.right]);
      return binaryCode(e.operator, left, right, e.left, e.right, e.type);
    }
    case 'conditional':
      return conditional(b, e);
    case 'cast':
      return castCode(b.expression(e.operand), e.operand.type, e.type);
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
      b.line(`$in.advance(${b.expression(e.bits)});`);
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

function shortCircuit(b: Body, e: Expr & { op: 'binary' }): string {
  const left = b.expression(e.left);
  let right = '';
  const effects = b.nested((inner) => {
    right = inner.expression(e.right);
  });
  if (!effects.length) return `(${left} ${e.operator} ${right})`;
  const result = b.module.unique('t');
  b.line(`let ${result} = ${left};`);
  b.line(`if (${e.operator === '&&' ? '' : '!'}${result}) {`);
  b.lines.push(...effects, `  ${result} = ${right};`, '}');
  return result;
}

function conditional(b: Body, e: Expr & { op: 'conditional' }): string {
  const condition = b.expression(e.condition);
  const arms = [e.then, e.otherwise].map((arm) => {
    let code = '';
    const effects = b.nested((inner) => {
      code = inner.expression(arm);
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
  const codes = b.expressions(e.parts);
  const made = b.spill(b.module.classes.zero(e.type));
  if (e.type.kind === 'header') b.line(`${made}.$valid = true;`);
  const names =
    e.type.kind === 'stack'
      ? e.parts.map((_, at) => `$at(${at})`)
      : getFields(e.type).map(({ name }) => fieldName(name));
  for (const [at, part] of e.parts.entries()) {
    const place = `${made}.${names[at] ?? ''}`;
    const code = codes[at] ?? '';
    if (part.op === 'default') continue;
    b.line(isObject(part.type) ? `${place}.$set(${code});` : `${place} = ${code};`);
  }
  return made;
}
