import type { Expression, Statement, SwitchCase } from '../ast.ts';
import type { Case, Expr, Stmt } from '../ir.ts';
import { unhandled } from '../unhandled.ts';
import { binary } from './operators.ts';
import { coerce } from './coerce.ts';
import type { Context } from './context.ts';
import { declare, newVariable } from './context.ts';
import { check, checkAs, checkKnown, checkLvalue } from './expressions.ts';
import { resolveType } from './resolve.ts';
import { Scope } from './scope.ts';
import { BOOL, isBits, sameType, typeKey, underlying } from './types.ts';
import type { Type } from './types.ts';

/** Checks the statements of a block in a new scope. */
export function checkBody(c: Context, node: Statement): Stmt[] {
  const inner: Context = { ...c, scope: new Scope(c.scope) };
  const statements = node.kind === 'block' ? node.statements : [node];
  return checkStatements(inner, statements);
}

export function checkStatements(c: Context, nodes: readonly Statement[]): Stmt[] {
  const body: Stmt[] = [];
  for (const node of nodes) {
    const whole = c.shared.diagnostics.attempt(() => void body.push(...checkStatement(c, node)));
    if (!whole && (node.kind === 'variable' || node.kind === 'constant') && !c.scope.own(node.name.text))
      c.scope.set(node.name.text, { kind: 'broken' });
  }
  return body;
}

function checkStatement(c: Context, node: Statement): Stmt[] {
  const { diagnostics } = c.shared;
  switch (node.kind) {
    case 'empty':
      return [];
    case 'block':
      return [{ op: 'block', body: checkBody(c, node) }];
    case 'constant':
      checkConstantDeclaration(c, node);
      return [];
    case 'variable':
      return [checkVariable(c, node, false)];
    case 'assign': {
      const target = checkLvalue(c, node.target);
      if (!node.operator) return [{ op: 'assign', target, value: checkAs(c, node.value, target.type) }];
      const before: Stmt[] = [];
      const settled = saveIndices(c, target, before);
      const value = binary(c, node.operator, settled, check(c, node.value), node.span);
      return [...before, { op: 'assign', target: settled, value: coerce(c, value, target.type) }];
    }
    case 'call': {
      const expr = check(c, node.call);
      return [{ op: 'run', expr }];
    }
    case 'if': {
      const condition = checkAs(c, node.condition, BOOL);
      const then = checkBody(c, node.then);
      const otherwise = node.otherwise ? checkBody(c, node.otherwise) : [];
      return [{ op: 'if', condition, then, otherwise }];
    }
    case 'switch':
      return [checkSwitch(c, node)];
    case 'for':
      return [checkFor(c, node)];
    case 'forIn':
      return [checkForIn(c, node)];
    case 'return':
      return [checkReturn(c, node)];
    case 'exit':
      if (c.inside === 'state' || c.inside === 'parser')
        diagnostics.fail(node.span, "'exit' is not allowed in parsers (P4_16 §12.5)");
      c.markExit();
      return [{ op: 'exit' }];
    case 'break':
    case 'continue':
      if (!c.loops) diagnostics.fail(node.span, `'${node.kind}' is outside a loop (P4_16 §12.8)`);
      return [{ op: node.kind }];
  }
}

/**
 * Prepares the target of `x op= y`, which means `x = x op y` but evaluates x once: computed indices are stored in
 * variables first.
 */
function saveIndices(c: Context, target: Expr, before: Stmt[]): Expr {
  if (target.op === 'field' || target.op === 'slice' || target.op === 'stack')
    return { ...target, base: saveIndices(c, target.base, before) };
  if (target.op !== 'element') return target;
  const base = saveIndices(c, target.base, before);
  const { index } = target;
  if (index.op === 'int') return { ...target, base };
  const variable = newVariable(c, 'index', index.type, false);
  before.push({ op: 'declare', variable, init: index });
  return { ...target, base, index: { op: 'variable', variable, type: index.type, span: index.span } };
}

export function checkConstantDeclaration(c: Context, node: Statement & { kind: 'constant' }): void {
  const problem = 'a constant must be known at compile time (P4_16 §11.1)';
  const value = checkKnown(c, node.value, resolveType(c, node.type), problem);
  declare(c, node.name, { kind: 'constant', value });
}

/** Checks a variable declaration (P4_16 §11.2). A shared variable is declared outside the generated functions. */
export function checkVariable(c: Context, node: Statement & { kind: 'variable' }, shared: boolean): Stmt {
  const { diagnostics } = c.shared;
  const type = resolveType(c, node.type);
  if (
    ['void', 'match_kind', 'integer', 'string', 'extern', 'parser', 'control', 'package'].includes(type.kind)
  )
    diagnostics.fail(node.type.span, `a variable cannot have the type ${typeKey(type)} (P4_16 §7.2.8)`);
  const init = node.init && checkAs(c, node.init, type);
  const variable = newVariable(c, node.name.text, type, shared);
  declare(c, node.name, { kind: 'variable', variable, direction: 'local' });
  return { op: 'declare', variable, init };
}

function checkReturn(c: Context, node: Statement & { kind: 'return' }): Stmt {
  const { diagnostics } = c.shared;
  if (c.inside === 'state' || c.inside === 'parser')
    diagnostics.fail(node.span, "'return' is not allowed in parsers (P4_16 §12.4)");
  const returns = c.returns ?? { kind: 'void' };
  if (returns.kind === 'void') {
    if (node.value) diagnostics.fail(node.span, 'nothing can be returned here');
    return { op: 'return', value: undefined };
  }
  if (!node.value) return diagnostics.fail(node.span, `this must return a value of type ${typeKey(returns)}`);
  return { op: 'return', value: checkAs(c, node.value, returns) };
}

/** Checks a switch on an expression or on the action that a table ran (P4_16 §12.7). */
function checkSwitch(c: Context, node: Statement & { kind: 'switch' }): Stmt {
  const { diagnostics } = c.shared;
  const subject = check(c, node.subject);
  const actions =
    subject.op === 'apply' && subject.result === 'action_run' ? subject.table.actions : undefined;
  if (!actions && subject.type.kind === 'actionRun')
    diagnostics.fail(node.subject.span, 'action_run must be the whole expression of the switch');
  if (!actions && !['bit', 'int', 'enum', 'error', 'bool'].includes(underlying(subject.type).kind))
    diagnostics.fail(node.subject.span, `switch does not apply to ${typeKey(subject.type)} (P4_16 §12.7)`);
  const label = (each: SwitchCase): Expr | number | undefined => {
    if (!each.label) return undefined;
    if (!actions)
      return checkKnown(c, each.label, subject.type, 'a label must be known at compile time (P4_16 §12.7.2)');
    const name = each.label.kind === 'name' ? each.label.name : '';
    const index = actions.findIndex(({ routine }) => routine.name === name);
    if (index < 0)
      diagnostics.fail(each.label.span, 'this is not one of the actions of the table (P4_16 §12.7.1)');
    return index;
  };
  const cases: Case[] = [];
  let labels: (Expr | number | undefined)[] = [];
  const seen = new Set<string>();
  for (const each of node.cases) {
    diagnostics.attempt(() => {
      const made = label(each);
      const key = labelKey(made);
      if (seen.has(key)) diagnostics.error(each.span, 'this label is duplicated');
      seen.add(key);
      labels.push(made);
    });
    if (!each.body) continue;
    cases.push({ labels, body: checkBody(c, each.body) });
    labels = [];
  }
  if (labels.length) cases.push({ labels, body: [] });
  return { op: 'switch', subject, cases };
}

function labelKey(label: Expr | number | undefined): string {
  if (typeof label !== 'object') return `action ${label ?? 'default'}`;
  return label.op === 'int' || label.op === 'bool' ? label.value.toString() : label.op;
}

function checkFor(c: Context, node: Statement & { kind: 'for' }): Stmt {
  const inner: Context = { ...c, scope: new Scope(c.scope), loops: c.loops + 1 };
  const init = checkStatements(inner, node.init);
  const condition = checkAs(inner, node.condition, BOOL);
  const update = checkStatements(inner, node.update);
  return { op: 'for', init, condition, update, body: checkBody(inner, node.body) };
}

function checkForIn(c: Context, node: Statement & { kind: 'forIn' }): Stmt {
  const { diagnostics } = c.shared;
  const type = resolveType(c, node.type);
  const inner: Context = { ...c, scope: new Scope(c.scope), loops: c.loops + 1 };
  const variable = newVariable(c, node.name.text, type, false);
  declare(inner, node.name, { kind: 'variable', variable, direction: 'local' });
  const { collection } = node;
  if (collection.kind === 'range') {
    if (!isBits(underlying(type))) diagnostics.fail(node.span, `a range of ${typeKey(type)} (P4_16 §12.8)`);
    const low = checkAs(c, collection.low, type);
    const high = checkAs(c, collection.high, type);
    return { op: 'forRange', variable, low, high, body: checkBody(inner, node.body) };
  }
  return {
    op: 'forIn',
    variable,
    elements: elements(c, collection, type),
    body: checkBody(inner, node.body),
  };
}

function elements(c: Context, node: Expression, type: Type): Expr[] {
  const { diagnostics } = c.shared;
  if (node.kind === 'list') return node.elements.map((element) => checkAs(c, element, type));
  const collection = check(c, node);
  const { span } = node;
  if (collection.type.kind !== 'stack' || !sameType(collection.type.element, type))
    return diagnostics.fail(
      span,
      `a loop over ${typeKey(collection.type)} in values of ${typeKey(type)} (P4_16 §12.8)`,
    );
  return Array.from({ length: collection.type.size }, (_, at) => ({
    op: 'element',
    base: collection,
    index: { op: 'int', value: BigInt(at), type: { kind: 'bit', width: 32 }, span },
    type,
    span,
  }));
}

/** Whether every path through these statements ends in a return or an exit. */
export function returnsAlways(body: readonly Stmt[]): boolean {
  return body.some((statement) => {
    switch (statement.op) {
      case 'return':
      case 'exit':
        return true;
      case 'block':
        return returnsAlways(statement.body);
      case 'if':
        return returnsAlways(statement.then) && returnsAlways(statement.otherwise);
      case 'switch':
        return (
          statement.cases.some(({ labels }) => labels.includes(undefined)) &&
          statement.cases.every((each) => returnsAlways(each.body))
        );
      // A loop's body may run zero times, and `break` and `continue` only occur in loops.
      case 'for':
      case 'forIn':
      case 'forRange':
      case 'break':
      case 'continue':
      case 'declare':
      case 'assign':
      case 'run':
        return false;
      default:
        return unhandled(statement);
    }
  });
}
