import type {
  Argument as ArgumentNode,
  Expression,
  ExternFunctionDeclaration,
  FunctionDeclaration,
} from '../ast.ts';
import type { Argument, Expr, ExternObject, Parameter, Routine, Unit } from '../ir.ts';
import type { Span } from '../source.ts';
import { EXTERN_FUNCTIONS } from '../../externs/registry.ts';
import { acceptsArguments, checkArguments, matchArguments } from './arguments.ts';
import { checkBuiltin, checkPacketMethod, checkTypeMethod } from './builtins.ts';
import type { Context } from './context.ts';
import { lookup } from './context.ts';
import { check, checkAs, checkLvalue, namedType } from './expressions.ts';
import { directInstance } from './instances.ts';
import { resolveType, substitute } from './resolve.ts';
import { makeFunction } from './routines.ts';
import { bindTypes } from './scope.ts';
import { VOID, sameType, typeKey } from './types.ts';
import type { Type } from './types.ts';

type Call = Expression & { kind: 'call' };

/** Checks a call of a function, an action or a method, or the `apply` of a table, control or parser. */
export function checkCall(c: Context, node: Call, expected?: Type): Expr {
  const { callee } = node;
  const { diagnostics } = c.shared;
  if (callee.kind === 'name') {
    const symbol = lookup(c, callee.name, callee.global, callee.span);
    switch (symbol.kind) {
      case 'functions':
        return checkFunctionCall(c, node, callee.name, symbol.overloads, expected);
      case 'action':
        return checkActionCall(c, node, symbol.routine);
      case 'unit':
      case 'extern':
        return diagnostics.fail(
          node.span,
          `an instance of '${callee.name}' must be declared, or be a constructor's argument`,
        );
      default:
        return diagnostics.fail(callee.span, `'${callee.name}' cannot be called`);
    }
  }
  if (callee.kind !== 'member') return diagnostics.fail(callee.span, 'this cannot be called');
  const { base, member } = callee;
  if (base.kind === 'typed' && base.type.kind === 'named' && member.text === 'apply') {
    const symbol = lookup(c, base.type.name.text, base.type.global, base.span);
    if (symbol.kind === 'unit')
      return diagnostics.refuse(
        base.span,
        'a generic parser or control applied without an instance',
        'P4_16 §15.1',
      );
  }
  if (base.kind === 'name') {
    const symbol = lookup(c, base.name, base.global, base.span);
    switch (symbol.kind) {
      case 'packet':
        return checkPacketMethod(c, symbol.which, node, member);
      case 'object':
        return checkMethodCall(c, node, symbol.object, member.text, expected);
      case 'table':
        if (member.text !== 'apply') break;
        if (node.args.length) diagnostics.fail(node.span, "a table's apply takes no arguments");
        if (c.inside !== 'apply')
          diagnostics.fail(
            node.span,
            'a table is applied in the apply block of its control only (P4_16 §14.2.2)',
          );
        if (symbol.table.exits) c.markExit();
        return {
          op: 'apply',
          table: symbol.table,
          result: 'none',
          type: { kind: 'applyResult' },
          span: node.span,
        };
      case 'instance':
        if (member.text !== 'apply') break;
        return invoke(c, symbol.unit, node);
      case 'unit':
        if (member.text !== 'apply') break;
        return invoke(c, directInstance(c, symbol.declaration, node.span), node);
    }
  }
  const type = namedType(c, base);
  if (type) return checkTypeMethod(c, type, member, node.span);
  const value = check(c, base);
  if (value.op === 'object') return checkMethodCall(c, node, value.object, member.text, expected);
  return checkBuiltin(c, value, base, node, member);
}

function checkFunctionCall(
  c: Context,
  node: Call,
  name: string,
  overloads: readonly (FunctionDeclaration | ExternFunctionDeclaration)[],
  expected: Type | undefined,
): Expr {
  const declaration =
    overloads.find(({ prototype }) => acceptsArguments(prototype.parameters, node.args)) ?? overloads[0];
  if (!declaration) throw new Error('a function symbol has a declaration');
  const { prototype } = declaration;
  const matched = matchArguments(c, `'${name}'`, prototype.parameters, node.args, node.span);
  const generics = { parameters: prototype.typeParameters, args: node.typeArgs, scope: c.scope.global };
  const result = { type: prototype.returns, expected };
  const { args, bindings } = checkArguments(c, matched, generics, result, node.span);
  const typeArgs = prototype.typeParameters.map(({ text }) => {
    const type = bindings.get(text);
    if (!type && declaration.kind === 'function')
      c.shared.diagnostics.fail(node.span, `the type argument '${text}' cannot be inferred`);
    if (type?.kind === 'integer' && declaration.kind === 'function')
      c.shared.diagnostics.fail(node.span, `the width of the type argument '${text}' cannot be inferred`);
    return type ?? VOID;
  });
  if (declaration.kind === 'externFunction') {
    const extern = EXTERN_FUNCTIONS.get(name);
    if (extern && 'answer' in extern) return extern.answer(c, args, node.span);
    extern?.check?.(c, node.span);
    const scope = bindTypes(c.scope.global, prototype.typeParameters, typeArgs);
    const type = prototype.returns ? resolveType({ ...c, scope }, prototype.returns) : VOID;
    return { op: 'extern', name, args, type, span: node.span };
  }
  const routine = makeFunction(c, declaration, typeArgs, node.span);
  if (routine.exits) c.markExit();
  return { op: 'call', routine, args, type: routine.returns, span: node.span };
}

/** Checks a direct call of an action, which must also pass the directionless parameters (P4_16 §14.1.1). */
function checkActionCall(c: Context, node: Call, routine: Routine): Expr {
  const args = pairArguments(c, `'${routine.name}'`, routine.parameters, node.args, node.span);
  if (routine.exits) c.markExit();
  return { op: 'call', routine, args, type: VOID, span: node.span };
}

/** Pairs arguments with parameters of known types, by position, by name, or by default (P4_16 §6.8). */
function pairArguments(
  c: Context,
  what: string,
  parameters: readonly Parameter[],
  args: readonly ArgumentNode[],
  span: Span,
): Argument[] {
  const { diagnostics } = c.shared;
  if (args.length > parameters.length)
    diagnostics.fail(span, `${what} takes ${parameters.length} arguments, not ${args.length}`);
  const named = args.some(({ name }) => name);
  return parameters.map(({ direction, variable, fallback }, at): Argument => {
    const given = named ? args.find(({ name }) => name?.text === variable.name) : args[at];
    if (!given && !fallback) diagnostics.fail(span, `${what} lacks an argument for '${variable.name}'`);
    const value = given ? argumentValue(c, direction, given.value, variable.type, given.span) : fallback;
    return { value, place: given ? args.indexOf(given) : at };
  });
}

/** Checks the argument for a parameter of known type. */
export function argumentValue(
  c: Context,
  direction: Parameter['direction'],
  node: Expression | undefined,
  type: Type,
  span: Span,
): Expr | undefined {
  if (!node) {
    if (direction === 'out') return undefined;
    return c.shared.diagnostics.fail(span, "'_' can stand for an 'out' argument only");
  }
  if (direction !== 'out' && direction !== 'inout') return checkAs(c, node, type);
  const value = checkLvalue(c, node);
  if (!sameType(value.type, type))
    c.shared.diagnostics.fail(node.span, `expected ${typeKey(type)} but found ${typeKey(value.type)}`);
  return value;
}

function checkMethodCall(
  c: Context,
  node: Call,
  object: ExternObject,
  name: string,
  expected: Type | undefined,
): Expr {
  const { diagnostics } = c.shared;
  const symbol = c.scope.global.find(object.className);
  if (symbol?.kind !== 'extern') throw new Error(`the extern '${object.className}' has no declaration`);
  const { declaration } = symbol;
  const candidates = declaration.methods.filter((method) => method.name.text === name);
  const prototype =
    candidates.find(({ parameters }) => acceptsArguments(parameters, node.args)) ?? candidates[0];
  if (!prototype) return diagnostics.fail(node.callee.span, `'${object.className}' has no method '${name}'`);
  const scope = bindTypes(c.scope.global, declaration.typeParameters, object.typeArgs);
  const matched = matchArguments(c, `'${name}'`, prototype.parameters, node.args, node.span);
  const generics = { parameters: prototype.typeParameters, args: node.typeArgs, scope };
  const result = { type: prototype.returns, expected };
  const { args, bindings } = checkArguments(c, matched, generics, result, node.span);
  const type = prototype.returns
    ? substitute(c, resolveType({ ...c, scope }, prototype.returns), bindings)
    : VOID;
  return { op: 'method', object, name, args, type, span: node.span };
}

function invoke(c: Context, unit: Unit, node: Call): Expr {
  const { diagnostics } = c.shared;
  const wanted = unit.kind === 'parser' ? 'state' : 'apply';
  if (c.inside !== wanted)
    diagnostics.fail(node.span, `a ${unit.kind} is not applied here (P4_16 §13.10, §14.4)`);
  // The packet is not passed, because there is only one at a time.
  const given = node.args.filter(({ value }) => !isPacket(c, value));
  const args = pairArguments(c, `'${unit.name}'`, unit.parameters, given, node.span);
  if (unit.kind === 'control' && unit.exits) c.markExit();
  return { op: 'invoke', unit, args, type: VOID, span: node.span };
}

function isPacket(c: Context, node: Expression | undefined): boolean {
  return node?.kind === 'name' && c.scope.find(node.name)?.kind === 'packet';
}
