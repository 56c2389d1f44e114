import type { Expr, Stmt } from '../ir.ts';
import { unhandled } from '../unhandled.ts';
import type { Body } from './body.ts';
import { variableName } from './body.ts';
import { place } from './places.ts';
import { literal } from './representation.ts';

type StmtWith<Op extends Stmt['op']> = Stmt & { op: Op };

export function statements(b: Body, list: readonly Stmt[]): void {
  for (const each of list) statement(b, each);
}

function statement(b: Body, s: Stmt): void {
  switch (s.op) {
    case 'declare':
      declare(b, s);
      return;
    case 'assign':
      assign(b, s.target, s.value);
      return;
    case 'run': {
      const code = b.expression(s.expr);
      if (code && /[(]/.test(code)) b.line(`${code};`);
      return;
    }
    case 'block':
      b.block('', (inner) => statements(inner, s.body));
      return;
    case 'if':
      ifStatement(b, s);
      return;
    case 'switch':
      switchStatement(b, s);
      return;
    case 'for':
      loop(b, (label) => forCondition(b, label, s));
      return;
    case 'forRange':
      loop(b, (label) => forRange(b, label, s));
      return;
    case 'forIn':
      loop(b, (label) => forElements(b, label, s));
      return;
    case 'return':
      b.line(s.value ? `return ${b.fresh(s.value)};` : 'return;');
      return;
    case 'exit':
      b.line('throw $rt.EXIT;');
      return;
    case 'break':
      b.line(`break ${b.loops.at(-1) ?? ''};`);
      return;
    case 'continue':
      b.line(`break ${b.loops.at(-1) ?? ''}$body;`);
      return;
    default:
      return unhandled(s);
  }
}

function declare(b: Body, { variable, init }: StmtWith<'declare'>): void {
  const value = init ? b.fresh(init) : b.module.classes.zero(variable.type);
  b.line(`${variable.shared ? '' : 'let '}${variableName(variable)} = ${value};`);
}

function ifStatement(b: Body, { condition, then, otherwise }: StmtWith<'if'>): void {
  b.block(
    `if (${b.expression(condition)})`,
    (inner) => statements(inner, then),
    otherwise.length ? '} else {' : '}',
  );
  if (otherwise.length) b.lines.push(...b.nested((inner) => statements(inner, otherwise)), '}');
}

function forCondition(b: Body, label: string, s: StmtWith<'for'>): void {
  statements(b, s.init);
  b.loop(label, `${label}: while (true)`, (inner) => {
    inner.line('$rt.turn();');
    inner.line(`if (!${inner.expression(s.condition)}) break ${label};`);
    // `continue` leaves only the inner block, so the update still runs.
    inner.block(`${label}$body:`, (body) => statements(body, s.body));
    statements(inner, s.update);
  });
}

/** Unrolls the loop: the elements are known at compile time. */
function forElements(b: Body, label: string, s: StmtWith<'forIn'>): void {
  b.block(`${label}:`, (outer) => {
    for (const element of s.elements)
      outer.loop(label, `${label}$body:`, (inner) => {
        inner.line(`let ${variableName(s.variable)} = ${inner.fresh(element)};`);
        statements(inner, s.body);
      });
  });
}

function loop(b: Body, write: (label: string) => void): void {
  b.line('{');
  write(b.module.unique('loop'));
  b.line('}');
}

/**
 * Generates a loop over a range that includes both ends. Compares before stepping, because the step could overflow
 * (P4_16 §12.8). The body gets a copy of the variable, so that assignments in the body do not affect the loop.
 */
function forRange(b: Body, label: string, s: StmtWith<'forRange'>): void {
  const name = variableName(s.variable);
  const next = b.module.unique('next');
  b.line(`let ${next} = ${b.expression(s.low)};`);
  const high = b.spill(b.expression(s.high));
  const one = literal(1n, s.variable.type);
  b.loop(label, `${label}: while (${next} <= ${high})`, (inner) => {
    inner.line('$rt.turn();');
    inner.line(`let ${name} = ${next};`);
    inner.block(`${label}$body:`, (body) => statements(body, s.body));
    inner.line(`if (${next} === ${high}) break;`);
    inner.line(`${next} = ${next} + ${one};`);
  });
}

/** Generates an assignment. The target, including a computed index, is evaluated before the value (P4_16 §12.1). */
function assign(b: Body, target: Expr, value: Expr): void {
  const to = place(b, target);
  b.line(to.write(b.expression(value)));
}

function switchStatement(b: Body, s: StmtWith<'switch'>): void {
  b.block(`switch (${b.expression(s.subject)})`, (cases) => {
    for (const { labels, body } of s.cases) {
      const heads = labels.map((label) => {
        if (label === undefined) return 'default:';
        return `case ${typeof label === 'number' ? label : cases.expression(label)}:`;
      });
      cases.block(heads.join(' '), (inner) => {
        statements(inner, body);
        inner.line('break;');
      });
    }
  });
}
