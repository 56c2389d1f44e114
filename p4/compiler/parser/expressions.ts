import type { Argument, BinaryOperator, Expression, TypeNode, UnaryOperator } from '../ast.ts';
import type { Diagnostics } from '../diagnostics.ts';
import { spanning } from '../source.ts';
import type { Span } from '../source.ts';
import type { Token } from '../token.ts';
import { Cursor, describe } from './cursor.ts';
import { atBaseType, parseType, parseTypeArguments } from './types.ts';

/** Operators by precedence, lowest first, as in the grammar's %left lines. */
const LEVELS: BinaryOperator[][] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['++', '+', '-', '|+|', '|-|'],
  ['*', '/', '%'],
];
const LEVELS_BY_OPERATOR = new Map(
  LEVELS.flatMap((operators, level) => operators.map((op) => [op as string, level] as const)),
);

export function parseExpression(p: Cursor): Expression {
  return p.nested(() => {
    const condition = parseBinary(p, 0);
    if (!p.accept('?')) return condition;
    const then = parseExpression(p);
    p.expect(':');
    const otherwise = parseExpression(p);
    return {
      kind: 'conditional',
      condition,
      then,
      otherwise,
      span: spanning(condition.span, otherwise.span),
    };
  });
}

function parseBinary(p: Cursor, least: number): Expression {
  let left = parsePrefix(p);
  while (true) {
    const operator = binaryOperator(p);
    const level = LEVELS_BY_OPERATOR.get(operator) ?? -1;
    if (level < least) return left;
    p.next();
    if (operator === '>>') p.next();
    const right = parseBinary(p, level + 1);
    const span = spanning(left.span, right.span);
    left = { kind: 'binary', operator: operator as BinaryOperator, left, right, span };
  }
}

/** Returns the next binary operator. `>>` is two adjacent tokens; `>>=` ends in `>=` and is an assignment. */
function binaryOperator(p: Cursor): string {
  const { token } = p;
  if (token.kind !== 'symbol') return '';
  // In `x[low +: width]`, this `+` ends the expression `low`.
  if (token.text === '+' && p.is(':', 1)) return '';
  if (token.text !== '>') return token.text;
  const second = p.ahead(1);
  if (second.spaceBefore || second.kind !== 'symbol') return '>';
  return second.text === '>' ? '>>' : second.text === '>=' ? '' : '>';
}

function parsePrefix(p: Cursor): Expression {
  const start = p.token;
  if (start.kind === 'symbol' && ['!', '~', '-', '+'].includes(start.text)) {
    p.next();
    const operand = p.nested(() => parsePrefix(p));
    return { kind: 'unary', operator: start.text as UnaryOperator, operand, span: p.spanFrom(start) };
  }
  if (p.is('(')) {
    const type = p.speculate(() => parseCastType(p));
    if (type) {
      const operand = p.nested(() => parsePrefix(p));
      return { kind: 'cast', type, operand, span: p.spanFrom(start) };
    }
  }
  return parsePostfix(p);
}

/** Parses `(type)`, if an operand can follow. */
function parseCastType(p: Cursor): ReturnType<typeof parseType> | undefined {
  p.expect('(');
  const certain = atBaseType(p) || p.is('error');
  const named = p.typeNames.has(p.is('.') ? p.ahead(1).text : p.token.text);
  if (!certain && !named) return undefined;
  const type = parseType(p);
  p.expect(')');
  const { token } = p;
  const operand =
    token.kind === 'name' ||
    token.kind === 'integer' ||
    token.kind === 'string' ||
    ['(', '{', '{#}', '!', '~', '-', '+', '.'].includes(token.text);
  return operand ? type : undefined;
}

function parsePostfix(p: Cursor): Expression {
  let expression = parsePrimary(p);
  while (true) {
    if (p.is('.')) {
      p.next();
      const member = p.name();
      expression = { kind: 'member', base: expression, member, span: p.spanFrom(expression) };
    } else if (p.is('[')) {
      p.next();
      expression = parseSubscript(p, expression);
    } else if (p.is('(')) {
      expression = {
        kind: 'call',
        callee: expression,
        typeArgs: undefined,
        args: parseArguments(p),
        span: p.spanFrom(expression),
      };
    } else if (p.is('<') && (expression.kind === 'name' || expression.kind === 'member')) {
      const typeArgs = p.speculate(() => {
        const list = parseTypeArguments(p);
        return (p.is('(') || p.is('.')) && list.every((type) => isKnownType(p, type)) ? list : undefined;
      });
      if (!typeArgs) return expression;
      if (p.is('.') && expression.kind === 'name') {
        const name = { text: expression.name, span: expression.span };
        const span = p.spanFrom(expression);
        expression = {
          kind: 'typed',
          type: { kind: 'named', name, global: expression.global, args: typeArgs, span },
          span,
        };
        continue;
      }
      expression = {
        kind: 'call',
        callee: expression,
        typeArgs,
        args: parseArguments(p),
        span: p.spanFrom(expression),
      };
    } else return expression;
  }
}

/**
 * Whether `type` can only be a type. In `f(a < b, c > (d))`, `b` and `c` are no known types, so `<` is a comparison.
 */
function isKnownType(p: Cursor, type: TypeNode): boolean {
  if (type.kind === 'stack') return isKnownType(p, type.element);
  return type.kind !== 'named' || p.typeNames.has(type.name.text);
}

function parseSubscript(p: Cursor, base: Expression): Expression {
  const index = parseExpression(p);
  if (p.is('+') || p.is(':')) {
    const part = p.accept('+');
    p.expect(':');
    const second = parseExpression(p);
    p.expect(']');
    const span = p.spanFrom(base);
    return part
      ? { kind: 'part', base, low: index, width: second, span }
      : { kind: 'slice', base, high: index, low: second, span };
  }
  p.expect(']');
  return { kind: 'index', base, index, span: p.spanFrom(base) };
}

function parsePrimary(p: Cursor): Expression {
  const start = p.token;
  const { span, text } = start;
  if (start.integer) {
    p.next();
    return { kind: 'integer', literal: start.integer, span };
  }
  if (start.kind === 'string') {
    p.next();
    // Adjacent strings are concatenated, as in C.
    let value = text;
    while (p.token.kind === 'string') value += p.next().text;
    return { kind: 'string', value, span: p.spanFrom(start) };
  }
  if (start.kind === 'name') {
    if (p.accept('true')) return { kind: 'boolean', value: true, span };
    if (p.accept('false')) return { kind: 'boolean', value: false, span };
    if (p.accept('this')) return { kind: 'this', span };
    if (text === 'error') {
      p.next();
      return { kind: 'typed', type: { kind: 'base', name: 'error', span }, span };
    }
    if (atBaseType(p)) return { kind: 'typed', type: parseType(p), span: p.spanFrom(start) };
  }
  if (p.accept('.')) return { kind: 'name', name: p.name().text, global: true, span: p.spanFrom(start) };
  if (p.isName()) return { kind: 'name', name: p.next().text, global: false, span };
  if (p.accept('{#}')) return { kind: 'invalid', span };
  if (p.accept('...')) return { kind: 'rest', span };
  if (p.accept('(')) {
    const expression = parseExpression(p);
    p.expect(')');
    return { ...expression, span: p.spanFrom(start) };
  }
  if (p.accept('{')) return parseBraces(p, start.span);
  return p.fail(`expected an expression but found ${describe(start)}`);
}

function parseBraces(p: Cursor, start: Expression['span']): Expression {
  const record = p.isName() && p.is('=', 1);
  if (!record) {
    const elements = p.separated('}', () => parseExpression(p));
    return { kind: 'list', elements, span: p.spanFrom({ span: start }) };
  }
  const fields: { name: ReturnType<Cursor['name']>; value: Expression }[] = [];
  let rest = false;
  while (!p.is('}')) {
    if (p.accept('...')) rest = true;
    else {
      const name = p.name();
      p.expect('=');
      fields.push({ name, value: parseExpression(p) });
    }
    if (!p.accept(',')) break;
  }
  p.expect('}');
  return { kind: 'record', fields, rest, span: p.spanFrom({ span: start }) };
}

export function parseArguments(p: Cursor): Argument[] {
  p.expect('(');
  return p.separated(')', () => {
    const start = p.token;
    const name = p.isName() && p.is('=', 1) ? p.name() : undefined;
    if (name) p.expect('=');
    const value = p.is('_') ? void p.next() : parseExpression(p);
    return { name, value, span: p.spanFrom(start) };
  });
}

/** Parses one element of a key set (P4_16 §8.16 and the grammar's simpleKeysetExpression). */
function parseSimpleKeyset(p: Cursor): Expression {
  const start = p.token;
  if (p.accept('default') || p.accept('_')) return { kind: 'any', span: start.span };
  const value = parseExpression(p);
  if (p.accept('&&&')) return { kind: 'mask', value, mask: parseExpression(p), span: p.spanFrom(start) };
  if (p.accept('..')) return { kind: 'range', low: value, high: parseExpression(p), span: p.spanFrom(start) };
  return value;
}

/** Parses `(a, b &&& c, _)` or one element: the values to compare with each key. */
export function parseKeyset(p: Cursor): Expression[] {
  if (!p.is('(')) return [parseSimpleKeyset(p)];
  const tuple = p.speculate(() => {
    p.expect('(');
    const elements = p.separated(')', () => parseSimpleKeyset(p));
    return p.is(':') ? elements : undefined;
  });
  return tuple ?? [parseSimpleKeyset(p)];
}

/** Parses the expressions within the brackets of an annotation (P4_16 §20). */
export function parseAnnotationBody(
  body: readonly Token[],
  span: Span,
  diagnostics: Diagnostics,
): Expression[] {
  const end: Token = { kind: 'end', text: '', span, lineStart: false, spaceBefore: false };
  const p = new Cursor([...body, end], diagnostics);
  const list: Expression[] = [];
  while (!p.done) {
    list.push(parseExpression(p));
    if (!p.accept(',')) break;
  }
  return list;
}
