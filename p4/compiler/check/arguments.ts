import type { Argument as ArgumentNode, Parameter as ParameterNode, TypeNode } from '../ast.ts';
import type { Argument, Expr } from '../ir.ts';
import type { Span } from '../source.ts';
import { coerce } from './coerce.ts';
import type { Context } from './context.ts';
import { check, checkAs, checkLvalue } from './expressions.ts';
import { isOpen, resolveType, substitute, unify } from './resolve.ts';
import { bindTypes, type Scope } from './scope.ts';
import { sameType, typeKey } from './types.ts';
import type { Type } from './types.ts';

/** A parameter with its argument in the call. */
interface MatchedArgument {
  readonly parameter: ParameterNode;
  readonly argument: ArgumentNode | undefined;
  readonly place: number;
}

/** Whether arguments of this number and with these names match the parameters. */
export function acceptsArguments(
  parameters: readonly ParameterNode[],
  args: readonly ArgumentNode[],
): boolean {
  if (args.length > parameters.length) return false;
  const named = args.some(({ name }) => name);
  return parameters.every((parameter, at) =>
    named
      ? args.some(({ name }) => name?.text === parameter.name.text) || isOptional(parameter)
      : at < args.length || isOptional(parameter),
  );
}

const isOptional = (parameter: ParameterNode): boolean =>
  parameter.fallback !== undefined || parameter.annotations.some(({ name }) => name === 'optional');

/** Pairs arguments with parameters by position or by name (P4_16 §6.8). */
export function matchArguments(
  c: Context,
  what: string,
  parameters: readonly ParameterNode[],
  args: readonly ArgumentNode[],
  span: Span,
): MatchedArgument[] {
  const { diagnostics } = c.shared;
  const named = args.filter(({ name }) => name);
  if (named.length && named.length !== args.length)
    diagnostics.fail(span, 'either all arguments are named, or none is (P4_16 §6.8)');
  if (!named.length && args.length > parameters.length)
    diagnostics.fail(span, `${what} takes ${parameters.length} arguments, not ${args.length}`);
  for (const { name } of named)
    if (!parameters.some((parameter) => parameter.name.text === name?.text))
      diagnostics.fail(name?.span, `${what} has no parameter '${name?.text ?? ''}'`);
  return parameters.map((parameter, at) => {
    const argument = named.length ? args.find(({ name }) => name?.text === parameter.name.text) : args[at];
    if (!argument && !isOptional(parameter))
      diagnostics.fail(span, `${what} lacks an argument for '${parameter.name.text}'`);
    return { parameter, argument, place: argument ? args.indexOf(argument) : at };
  });
}

interface CheckedCall {
  readonly args: Argument[];
  readonly bindings: ReadonlyMap<string, Type>;
}

/**
 * Checks the arguments of a call that may be generic. Infers missing type arguments from the arguments (P4_16 §8.21)
 * and from the expected type of the result.
 */
export function checkArguments(
  c: Context,
  matched: readonly MatchedArgument[],
  generics: { parameters: readonly { text: string }[]; args: TypeNode[] | undefined; scope: Scope },
  result: { type: TypeNode | undefined; expected: Type | undefined },
  span: Span,
): CheckedCall {
  const { diagnostics } = c.shared;
  // The type parameters are type variables until they are inferred.
  const open = generics.parameters.map(({ text }): Type => ({ kind: 'variable', name: text }));
  const inner: Context = { ...c, scope: bindTypes(generics.scope, generics.parameters, open) };
  const bindings = new Map<string, Type>();
  if (generics.args && generics.args.length !== generics.parameters.length)
    diagnostics.fail(
      span,
      `this takes ${generics.parameters.length} type arguments, not ${generics.args.length}`,
    );
  for (const [at, node] of (generics.args ?? []).entries()) {
    const type = resolveType(c, node);
    const name = generics.parameters[at]?.text;
    if (name && type.kind !== 'variable') bindings.set(name, type);
  }
  const types = matched.map(({ parameter }) => resolveType(inner, parameter.type));
  const values = matched.map(({ parameter, argument }, at): Expr | undefined => {
    const wanted = substitute(c, types[at] ?? { kind: 'void' }, bindings);
    const value = argument ? argument.value : parameter.fallback;
    if (!value) {
      if (argument && parameter.direction !== 'out')
        diagnostics.fail(argument.span, "'_' can stand for an 'out' argument only");
      return undefined;
    }
    const writes = parameter.direction === 'out' || parameter.direction === 'inout';
    const checked = writes
      ? checkLvalue(c, value)
      : isOpen(wanted)
        ? check(c, value, wanted)
        : checkAs(argument ? c : inner, value, wanted);
    unify(wanted, checked.type, bindings);
    return checked;
  });
  if (result.type && result.expected) {
    const type = substitute(c, resolveType(inner, result.type), bindings);
    if (isOpen(type)) unify(type, result.expected, bindings);
  }
  const args = matched.map(({ parameter, place }, at): Argument => {
    const value = values[at];
    const type = substitute(c, types[at] ?? { kind: 'void' }, bindings);
    return { value: value && finish(c, parameter, value, type), place };
  });
  return { args, bindings };
}

function finish(c: Context, parameter: ParameterNode, value: Expr, type: Type): Expr {
  if (parameter.direction === 'out' || parameter.direction === 'inout') {
    if (!sameType(value.type, type) && !isOpen(type))
      c.shared.diagnostics.fail(value.span, `expected ${typeKey(type)} but found ${typeKey(value.type)}`);
    return value;
  }
  if (isOpen(type))
    c.shared.diagnostics.fail(value.span, `the type of '${parameter.name.text}' cannot be inferred`);
  return coerce(c, value, type);
}
