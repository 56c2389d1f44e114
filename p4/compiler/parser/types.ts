import type { Name, Parameter, TypeNode } from '../ast.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './expressions.ts';

const BASE = new Set(['bool', 'error', 'string', 'void', 'match_kind']);

/** Whether the next token starts a type and cannot start an expression. */
export function atBaseType(p: Cursor): boolean {
  return ['bit', 'int', 'varbit', 'bool', 'string', 'tuple', 'match_kind', 'void'].some((word) => p.is(word));
}

export function parseType(p: Cursor): TypeNode {
  return p.nested(() => {
    let type = parsePlainType(p);
    while (p.is('[')) {
      p.next();
      const size = parseExpression(p);
      p.expect(']');
      type = { kind: 'stack', element: type, size, span: p.spanFrom(type) };
    }
    return type;
  });
}

function parsePlainType(p: Cursor): TypeNode {
  const start = p.token;
  const { text } = start;
  if (start.kind === 'name' && BASE.has(text)) {
    p.next();
    return { kind: 'base', name: text as 'bool', span: start.span };
  }
  if (text === 'bit' || text === 'int' || text === 'varbit') {
    p.next();
    if (!p.accept('<')) {
      if (text === 'int') return { kind: 'base', name: 'int', span: start.span };
      if (text === 'varbit') p.fail("'varbit' requires a maximum width, as in varbit<320>");
      const literal = { value: 1n, width: undefined, signed: false };
      return {
        kind: 'sized',
        name: 'bit',
        width: { kind: 'integer', literal, span: start.span },
        span: start.span,
      };
    }
    const width = p.accept('(') ? parseParenthesized(p) : parseWidth(p);
    p.expect('>');
    return { kind: 'sized', name: text, width, span: p.spanFrom(start) };
  }
  if (p.accept('tuple')) {
    p.expect('<');
    return { kind: 'tuple', elements: p.separated('>', () => parseTypeArgument(p)), span: p.spanFrom(start) };
  }
  if (p.is('list') && p.is('<', 1)) {
    p.next();
    p.next();
    const element = parseTypeArgument(p);
    p.expect('>');
    return { kind: 'list', element, span: p.spanFrom(start) };
  }
  const global = p.accept('.');
  const name = p.name();
  const args = p.is('<') ? parseTypeArguments(p) : [];
  return { kind: 'named', name, global, args, span: p.spanFrom(start) };
}

function parseWidth(p: Cursor): ReturnType<typeof parseExpression> {
  const { token } = p;
  if (token.integer) {
    p.next();
    return { kind: 'integer', literal: token.integer, span: token.span };
  }
  // p4c accepts a constant's name here, although the grammar requires parentheses.
  const name = p.name();
  return { kind: 'name', name: name.text, global: false, span: name.span };
}

function parseParenthesized(p: Cursor): ReturnType<typeof parseExpression> {
  const expression = parseExpression(p);
  p.expect(')');
  return expression;
}

function parseTypeArgument(p: Cursor): TypeNode {
  if (p.is('_')) return { kind: 'any', span: p.next().span };
  return parseType(p);
}

export function parseTypeArguments(p: Cursor): TypeNode[] {
  p.expect('<');
  return p.separated('>', () => parseTypeArgument(p));
}

export function parseTypeParameters(p: Cursor): Name[] {
  if (!p.accept('<')) return [];
  const names = p.separated('>', () => p.name());
  for (const { text } of names) p.addTypeParameter(text);
  return names;
}

export function parseParameters(p: Cursor): Parameter[] {
  p.expect('(');
  return p.separated(')', () => {
    const annotations = p.annotations();
    const direction = p.accept('in') ? 'in' : p.accept('out') ? 'out' : p.accept('inout') ? 'inout' : 'none';
    const type = parseType(p);
    const name = p.name();
    const fallback = p.accept('=') ? parseExpression(p) : undefined;
    return { direction, type, name, fallback, annotations };
  });
}
