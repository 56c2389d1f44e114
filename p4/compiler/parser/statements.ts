import type { ArithmeticOperator, Expression, Instantiation, Statement, SwitchCase } from '../ast.ts';
import type { Cursor } from './cursor.ts';
import { describe } from './cursor.ts';
import { parseArguments, parseExpression } from './expressions.ts';
import { parseType } from './types.ts';

const ASSIGNMENTS = new Map<string, ArithmeticOperator | undefined>([
  ['=', undefined],
  ...(['*', '/', '%', '+', '-', '|+|', '|-|', '<<', '&', '|', '^'] as const).map(
    (op) => [`${op}=`, op] as const,
  ),
]);

export function parseBlock(p: Cursor): Statement {
  const start = p.token;
  p.annotations();
  p.expect('{');
  const statements: Statement[] = [];
  while (!p.is('}') && !p.done) p.recovering(() => void statements.push(parseStatement(p)));
  p.expect('}');
  return { kind: 'block', statements, span: p.spanFrom(start) };
}

export function parseStatement(p: Cursor): Statement {
  return p.nested(() => statement(p));
}

function statement(p: Cursor): Statement {
  const start = p.token;
  const annotations = p.annotations();
  const simple = (made: Simple): Statement => {
    p.expect(';');
    return { ...made, span: p.spanFrom(start) };
  };
  if (p.is('{')) return parseBlock(p);
  if (p.accept(';')) return { kind: 'empty', span: start.span };
  if (p.is('const')) return parseConstant(p);
  if (p.is('if')) return parseIf(p);
  if (p.is('switch')) return parseSwitch(p);
  if (p.is('for')) return parseFor(p);
  if (p.accept('exit')) return simple({ kind: 'exit' });
  if (p.accept('break')) return simple({ kind: 'break' });
  if (p.accept('continue')) return simple({ kind: 'continue' });
  if (p.accept('return'))
    return simple({ kind: 'return', value: p.is(';') ? undefined : parseExpression(p) });
  const made = parseVariableOrAction(p);
  if (made.kind === 'variable') return simple({ ...made, annotations });
  return simple(made);
}

type Simple = Statement extends infer S ? (S extends { span: unknown } ? Omit<S, 'span'> : never) : never;

/** Parses a variable declaration, an assignment or a call: the statements that the head of a `for` accepts. */
function parseVariableOrAction(p: Cursor): Statement {
  const start = p.token;
  const variable = p.speculate(() => {
    const type = parseType(p);
    const name = p.isName() ? p.name() : undefined;
    return name && (p.is('=') || p.is(';') || p.is(',') || p.is('in')) ? { type, name } : undefined;
  });
  if (variable) {
    const init = p.accept('=') ? parseExpression(p) : undefined;
    return { kind: 'variable', ...variable, init, annotations: [], span: p.spanFrom(start) };
  }
  const target = parseExpression(p);
  const operator = assignment(p);
  if (operator !== 'none') {
    const value = parseExpression(p);
    return { kind: 'assign', target, operator, value, span: p.spanFrom(start) };
  }
  if (target.kind !== 'call') p.fail(`expected '=' or a call but found ${describe(p.token)}`);
  return { kind: 'call', call: target, span: p.spanFrom(start) };
}

function assignment(p: Cursor): ArithmeticOperator | undefined | 'none' {
  if (p.is('>') && p.is('>=', 1) && !p.ahead(1).spaceBefore) {
    p.next();
    p.next();
    return '>>';
  }
  const { token } = p;
  if (token.kind !== 'symbol' || !ASSIGNMENTS.has(token.text)) return 'none';
  p.next();
  return ASSIGNMENTS.get(token.text);
}

export function parseConstant(p: Cursor): Statement & { kind: 'constant' } {
  const start = p.expect('const');
  const type = parseType(p);
  const name = p.name();
  p.expect('=');
  const value = parseExpression(p);
  p.expect(';');
  return { kind: 'constant', type, name, value, span: p.spanFrom(start) };
}

function parseIf(p: Cursor): Statement {
  const start = p.expect('if');
  p.expect('(');
  const condition = parseExpression(p);
  p.expect(')');
  const then = parseStatement(p);
  const otherwise = p.accept('else') ? parseStatement(p) : undefined;
  return { kind: 'if', condition, then, otherwise, span: p.spanFrom(start) };
}

function parseSwitch(p: Cursor): Statement {
  const start = p.expect('switch');
  p.expect('(');
  const subject = parseExpression(p);
  p.expect(')');
  p.expect('{');
  const cases: SwitchCase[] = [];
  while (!p.is('}') && !p.done) {
    const first = p.token;
    const label: Expression | undefined = p.accept('default') ? undefined : parseExpression(p);
    p.expect(':');
    const body = p.is('{') || p.is('@') ? parseBlock(p) : undefined;
    cases.push({ label, body, span: p.spanFrom(first) });
  }
  p.expect('}');
  return { kind: 'switch', subject, cases, span: p.spanFrom(start) };
}

function parseFor(p: Cursor): Statement {
  const start = p.expect('for');
  p.expect('(');
  const list = (close: string): Statement[] => {
    const made: Statement[] = [];
    while (!p.is(close)) {
      p.annotations();
      made.push(parseVariableOrAction(p));
      if (!p.accept(',')) break;
    }
    return made;
  };
  const init = list(';');
  const [first] = init;
  if (first?.kind === 'variable' && init.length === 1 && !first.init && p.accept('in')) {
    const low = parseExpression(p);
    const collection: Expression = p.accept('..')
      ? { kind: 'range', low, high: parseExpression(p), span: p.spanFrom(low) }
      : low;
    p.expect(')');
    const body = parseStatement(p);
    return { kind: 'forIn', type: first.type, name: first.name, collection, body, span: p.spanFrom(start) };
  }
  p.expect(';');
  const condition = parseExpression(p);
  p.expect(';');
  const update = list(')');
  p.expect(')');
  const body = parseStatement(p);
  return { kind: 'for', init, condition, update, body, span: p.spanFrom(start) };
}

/** Parses `Type(args) name;`; returns undefined if the next tokens are something else. */
export function parseInstantiation(p: Cursor): Instantiation | undefined {
  const start = p.token;
  const annotations = p.annotations();
  const head = p.speculate(() => {
    const type = parseType(p);
    if (!p.is('(')) return undefined;
    const args = parseArguments(p);
    return p.isName() ? { type, args } : undefined;
  });
  if (!head) {
    if (annotations.length) p.rewind(start);
    return undefined;
  }
  const name = p.name();
  const hasBody = p.accept('=');
  if (hasBody) p.skipBraces();
  p.expect(';');
  return { kind: 'instance', ...head, name, annotations, hasBody, span: p.spanFrom(start) };
}
