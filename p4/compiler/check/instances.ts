/* Instantiates controls, parsers and externs. Each instantiation is checked and generated separately. */
import type {
  Argument as ArgumentNode,
  ControlDeclaration,
  Expression,
  Instantiation,
  LocalDeclaration,
  Parameter as ParameterNode,
  ParserDeclaration,
} from '../ast.ts';
import type { ControlUnit, Parameter, ParserUnit, Stmt, Unit } from '../ir.ts';
import type { Span } from '../source.ts';
import { matchArguments } from './arguments.ts';
import type { Context } from './context.ts';
import { controlPlaneName, declare, lookup, newId, newVariable } from './context.ts';
import { checkKnown, UNKNOWN_ARGUMENT } from './expressions.ts';
import { constructObject, makeObject } from './objects.ts';
import { checkState, declareValueSet, stateTable } from './parsers.ts';
import { resolveType } from './resolve.ts';
import { checkFallback, withDepthLimit, makeAction } from './routines.ts';
import { Scope } from './scope.ts';
import type { Symbol } from './scope.ts';
import { checkBody, checkConstantDeclaration, checkVariable } from './statements.ts';
import { actionNames, makeTable } from './tables.ts';
import { VOID } from './types.ts';

type Declaration = ParserDeclaration | ControlDeclaration;

/** Instantiates `Type(args) name;`, except for the package. */
export function makeInstance(c: Context, node: Instantiation): Symbol {
  const { diagnostics } = c.shared;
  if (node.hasBody)
    diagnostics.refuse(node.span, 'an instance that implements abstract methods', 'P4_16 §11.3.1');
  const { type } = node;
  if (type.kind !== 'named')
    return diagnostics.fail(type.span, 'only a parser, a control or an extern has instances');
  const symbol = lookup(c, type.name.text, type.global, type.span);
  const name = controlPlaneName(c, node.name.text, node.annotations);
  if (symbol.kind === 'extern')
    return {
      kind: 'object',
      object: makeObject(c, symbol.declaration, type.args, node.args, name, node.span),
    };
  if (symbol.kind !== 'unit') return diagnostics.fail(type.span, `'${type.name.text}' has no instances`);
  return { kind: 'instance', unit: makeUnit(c, symbol.declaration, node.args, name, node.span) };
}

/** Makes the instance for `C.apply(...)` on a type (P4_16 §15.1). */
export function directInstance(c: Context, declaration: Declaration, span: Span): Unit {
  if (declaration.constructorParameters.length)
    c.shared.diagnostics.fail(
      span,
      `'${declaration.name.text}' has constructor arguments, so it needs an instance`,
    );
  return makeUnit(
    c,
    declaration,
    [],
    controlPlaneName(c, declaration.name.text, declaration.annotations),
    span,
  );
}

export function makeUnit(
  c: Context,
  declaration: Declaration,
  args: readonly ArgumentNode[],
  path: string,
  span: Span,
): Unit {
  const { diagnostics } = c.shared;
  const { typeParameters } = declaration;
  const [generic] = typeParameters;
  if (generic)
    return diagnostics.fail(generic.span, 'only the type of a parser or a control is generic (P4_16 §15)');
  const outer = new Scope(c.scope.global);
  bindConstructor(c, outer, declaration, args, path, span);
  const scope = new Scope(outer);
  const inner: Context = {
    ...c,
    scope,
    path,
    inside: declaration.kind,
    returns: VOID,
    loops: 0,
    markExit: () => undefined,
  };
  const id = newId(c);
  const parameters = bindParameters(inner, declaration.parameters);
  const base = { id, name: path, parameters, locals: [] as Stmt[] };
  const unit: Unit =
    declaration.kind === 'parser'
      ? { ...base, kind: 'parser', states: [] }
      : { ...base, kind: 'control', body: [], exits: false };
  // Declarations in the body may shadow parameters.
  const body: Context = { ...inner, scope: new Scope(scope) };
  withDepthLimit(c, span, () => {
    if (unit.kind === 'parser' && declaration.kind === 'parser') fillParser(body, declaration, unit);
    else if (unit.kind === 'control' && declaration.kind === 'control') fillControl(body, declaration, unit);
  });
  c.shared.program.units.push(unit);
  return unit;
}

function bindConstructor(
  c: Context,
  scope: Scope,
  declaration: Declaration,
  args: readonly ArgumentNode[],
  path: string,
  span: Span,
): void {
  const matched = matchArguments(
    c,
    `'${declaration.name.text}'`,
    declaration.constructorParameters,
    args,
    span,
  );
  for (const { parameter, argument } of matched) {
    const node = argument?.value ?? parameter.fallback;
    if (node) scope.set(parameter.name.text, constructorArgument(c, parameter, node, path));
  }
}

/** Checks a constructor argument: a constant or an instance (P4_16 §15). */
function constructorArgument(c: Context, parameter: ParameterNode, node: Expression, path: string): Symbol {
  if (node.kind === 'name') {
    const symbol = lookup(c, node.name, node.global, node.span);
    if (symbol.kind === 'object' || symbol.kind === 'instance') return symbol;
  }
  if (node.kind === 'call' && node.callee.kind === 'name') {
    const symbol = lookup(c, node.callee.name, node.callee.global, node.callee.span);
    const name = `${path}.${parameter.name.text}`;
    if (symbol.kind === 'extern') return { kind: 'object', object: constructObject(c, node, name) };
    if (symbol.kind === 'unit')
      return { kind: 'instance', unit: makeUnit(c, symbol.declaration, node.args, name, node.span) };
  }
  return { kind: 'constant', value: checkKnown(c, node, resolveType(c, parameter.type), UNKNOWN_ARGUMENT) };
}

function bindParameters(c: Context, nodes: readonly ParameterNode[]): Parameter[] {
  const parameters: Parameter[] = [];
  for (const node of nodes)
    c.shared.diagnostics.attempt(() => {
      const type = resolveType(c, node.type);
      if (type.kind === 'extern') {
        if (type.name !== 'packet_in' && type.name !== 'packet_out')
          c.shared.diagnostics.refuse(
            node.type.span,
            `a parameter of the extern type '${type.name}'`,
            'P4_16 §7.2.10',
          );
        declare(c, node.name, { kind: 'packet', which: type.name });
        return;
      }
      const variable = newVariable(c, node.name.text, type, true);
      declare(c, node.name, { kind: 'variable', variable, direction: node.direction });
      const fallback = checkFallback(c, node, type);
      parameters.push({ direction: node.direction, variable, label: node.name.text, fallback });
    });
  return parameters;
}

function fillControl(c: Context, declaration: ControlDeclaration, unit: ControlUnit): void {
  for (const local of declaration.locals) declareLocal(c, local, unit.locals);
  if (!declaration.body) return;
  const markExit = (): void => void (unit.exits = true);
  unit.body = checkBody({ ...c, inside: 'apply', markExit }, declaration.body);
}

function fillParser(c: Context, declaration: ParserDeclaration, unit: ParserUnit): void {
  for (const local of declaration.locals) declareLocal(c, local, unit.locals);
  const states = declaration.states ?? [];
  const table = stateTable(c, states);
  const start = states.findIndex(({ name }) => name.text === 'start');
  if (start < 0)
    c.shared.diagnostics.error(
      declaration.name.span,
      `'${declaration.name.text}' has no state 'start' (P4_16 §13.2)`,
    );
  for (const state of states) unit.states.push(checkState({ ...c, inside: 'state' }, state, table));
}

function declareLocal(c: Context, node: LocalDeclaration, locals: Stmt[]): void {
  const whole = c.shared.diagnostics.attempt(() => {
    switch (node.kind) {
      case 'constant': {
        checkConstantDeclaration(c, node);
        return;
      }
      case 'variable':
        locals.push(checkVariable(c, node, true));
        return;
      case 'instance': {
        declare(c, node.name, makeInstance(c, node));
        return;
      }
      case 'action': {
        const routine = makeAction(c, node);
        actionNames.set(routine, controlPlaneName(c, node.name.text, node.annotations));
        declare(c, node.name, { kind: 'action', routine });
        return;
      }
      case 'table': {
        declare(c, node.name, { kind: 'table', table: makeTable(c, node) });
        return;
      }
      case 'valueSet': {
        declareValueSet(c, node);
        return;
      }
      case 'empty':
        return;
      default:
        c.shared.diagnostics.error(
          node.span,
          'only declarations are allowed here; put statements into apply or a state',
        );
    }
  });
  if (!whole && 'name' in node && !c.scope.own(node.name.text))
    c.scope.set(node.name.text, { kind: 'broken' });
}
