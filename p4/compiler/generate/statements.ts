import { underlying } from '../check/types.ts';
import type { Type } from '../check/types.ts';
import type { Expr, Stmt } from '../ir.ts';
import { emitFunction, extractFunction, variableSize } from './bits.ts';
import type { Body } from './body.ts';
import { variableName } from './body.ts';
import { expression, fresh } from './expressions.ts';
import { headerPlace, place, reference } from './places.ts';
import { fieldName, held, literal, wrapBig } from './representation.ts';

export function statements(b: Body, list: readonly Stmt[]): void {
  for (const each of list) statement(b, each);
}

function statement(b: Body, s: Stmt): void {
  switch (s.op) {
    case 'declare': {
      const value = s.init ? fresh(b, s.init) : b.module.classes.zero(s.variable.type);
      b.line(`${s.variable.shared ? '' : 'let '}${variableName(s.variable)} = ${value};`);
      return;
    }
    case 'assign': {
      assign(b, s.target, s.value);
      return;
    }
    case 'run': {
      const code = expression(b, s.expr);
      if (code && /[(]/.test(code)) b.line(`${code};`);
      return;
    }
    case 'block': {
      b.block('', (inner) => statements(inner, s.body));
      return;
    }
    case 'if':
      b.block(
        `if (${expression(b, s.condition)})`,
        (inner) => statements(inner, s.then),
        s.otherwise.length ? '} else {' : '}',
      );
      if (s.otherwise.length) b.lines.push(...b.nested((inner) => statements(inner, s.otherwise)), '}');
      return;
    case 'switch': {
      switchStatement(b, s);
      return;
    }
    case 'for': {
      loop(b, (label) => {
        statements(b, s.init);
        b.line(`${label}: while (true) {`);
        b.lines.push(
          ...b.nested(
            (inner) => {
              inner.line('$rt.turn();');
              inner.line(`if (!${expression(inner, s.condition)}) break ${label};`);
              // `continue` leaves the inner block, and so reaches the update.
              inner.block(`${label}$body:`, (body) => statements(body, s.body));
              statements(inner, s.update);
            },
            [...b.loops, label],
          ),
          '}',
        );
      });
      return;
    }
    case 'forRange': {
      loop(b, (label) => forRange(b, label, s));
      return;
    }
    case 'forIn': {
      loop(b, (label) => {
        b.block(`${label}:`, (outer) => {
          for (const element of s.elements) {
            const variable = variableName(s.variable);
            outer.lines.push(
              `${label}$body: {`,
              ...outer.nested(
                (inner) => {
                  inner.line(`let ${variable} = ${fresh(inner, element)};`);
                  statements(inner, s.body);
                },
                [...b.loops, label],
              ),
              '}',
            );
          }
        });
      });
      return;
    }
    case 'return':
      b.line(s.value ? `return ${fresh(b, s.value)};` : 'return;');
      return;
    case 'exit':
      b.line('throw $rt.EXIT;');
      return;
    case 'break':
      b.line(`break ${b.loops.at(-1) ?? ''};`);
      return;
    case 'continue':
      b.line(`break ${b.loops.at(-1) ?? ''}$body;`);
  }
}

function loop(b: Body, write: (label: string) => void): void {
  b.line('{');
  write(b.module.unique('loop'));
  b.line('}');
}

/**
 * Both ends belong to the range; the comparison comes before the step, which could go round (P4_16 §12.8). What the
 * body does to its variable is forgotten.
 */
function forRange(b: Body, label: string, s: Stmt & { op: 'forRange' }): void {
  const name = variableName(s.variable);
  const next = b.module.unique('next');
  b.line(`let ${next} = ${expression(b, s.low)};`);
  const high = b.spill(expression(b, s.high));
  const one = literal(1n, s.variable.type);
  b.line(`${label}: while (${next} <= ${high}) {`);
  b.lines.push(
    ...b.nested(
      (inner) => {
        inner.line('$rt.turn();');
        inner.line(`let ${name} = ${next};`);
        inner.block(`${label}$body:`, (body) => statements(body, s.body));
        inner.line(`if (${next} === ${high}) break;`);
        inner.line(`${next} = ${next} + ${one};`);
      },
      [...b.loops, label],
    ),
    '}',
  );
}

/** The place is found before the value (P4_16 §12.1): a computed index is evaluated first. */
function assign(b: Body, target: Expr, value: Expr): void {
  const to = place(b, target);
  b.line(to.write(expression(b, value)));
}

function switchStatement(b: Body, s: Stmt & { op: 'switch' }): void {
  b.line(`switch (${expression(b, s.subject)}) {`);
  for (const { labels, body } of s.cases) {
    const heads = labels.map((label) => {
      if (label === undefined) return 'default:';
      return `case ${typeof label === 'number' ? label : expression(b, label)}:`;
    });
    b.line(`  ${heads.join(' ')} {`);
    b.lines.push(
      ...b
        .nested((inner) => {
          statements(inner, body);
          inner.line('break;');
        })
        .map((line) => `  ${line}`),
      '  }',
    );
  }
  b.line('}');
}

/** `isValid`, `setValid`, `setInvalid`, `push_front`, `pop_front`: P4_16 §8.18-8.20. */
export function builtinCode(b: Body, e: Expr & { op: 'builtin' }): string {
  if (e.name === 'isValid') return `${expression(b, e.base)}.$valid`;
  const { name: target, union } = headerPlace(b, e.base);
  switch (e.name) {
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
  }
  return '';
}

/** P4_16 §13.8.1 and §13.8.2. */
export function extractCode(b: Body, e: Expr & { op: 'extract' }): string {
  const name = extractFunction(b.module, e.headerType);
  // What is extracted into nothing is read all the same, since it may be too short.
  const { name: target, union } = e.header
    ? headerPlace(b, e.header)
    : { name: b.module.classes.zero(e.headerType), union: undefined };
  const size = e.size ? `, ${variableSize(b, e.size)}` : '';
  b.line(`${name}(${target}${size});`);
  if (union) b.line(`${union}.$keep(${target});`);
  if (e.header) advanceStack(b, e.header);
  return '';
}

/** Extracting into `stack.next` moves it on (P4_16 §8.19); it may be a union's header within the stack. */
function advanceStack(b: Body, e: Expr): void {
  if (e.op === 'stack' && e.what === 'next') b.line(`${reference(b, e.base)}.$advance();`);
  else if (e.op === 'field') advanceStack(b, e.base);
}

/** P4_16 §16. */
export function emitCode(b: Body, value: Expr): string {
  emitValue(b, value.type, b.spill(expression(b, value)));
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

/** A BigInt that an extern gave, brought into its type. */
export function fromBig(code: string, type: Type): string {
  const actual = underlying(type);
  if (actual.kind !== 'bit' && actual.kind !== 'int') return code;
  const big = wrapBig(code, actual.width, actual.kind === 'int');
  return held(type) === 'bigint' ? big : `Number(${big})`;
}
