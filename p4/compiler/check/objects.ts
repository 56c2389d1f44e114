import type { Argument as ArgumentNode, Expression, ExternDeclaration, TypeNode } from '../ast.ts';
import type { Expr, ExternObject } from '../ir.ts';
import type { Span } from '../source.ts';
import { acceptsArguments, matchArguments } from './arguments.ts';
import type { Context } from './context.ts';
import { lookup, newId } from './context.ts';
import { checkKnown, UNKNOWN_ARGUMENT } from './expressions.ts';
import { resolveType } from './resolve.ts';
import { bindTypes } from './scope.ts';
import { bit } from './types.ts';

/** Instantiates an extern, such as a register, counter or action profile. */
export function makeObject(
  c: Context,
  declaration: ExternDeclaration,
  typeArgs: readonly TypeNode[],
  given: readonly ArgumentNode[],
  name: string,
  span: Span,
): ExternObject {
  const { diagnostics } = c.shared;
  const className = declaration.name.text;
  const constructor =
    declaration.constructors.find(({ parameters }) => acceptsArguments(parameters, given)) ??
    declaration.constructors[0];
  if (!constructor) return diagnostics.fail(span, `'${className}' has no constructor`);
  if (typeArgs.length > declaration.typeParameters.length)
    diagnostics.fail(
      span,
      `'${className}' takes ${declaration.typeParameters.length} type arguments, not ${typeArgs.length}`,
    );
  const types = declaration.typeParameters.map((_, at) => {
    const node = typeArgs[at];
    // Without an index type, the type is bit<32>, as in v1model versions in which externs lack this type parameter.
    return node ? resolveType(c, node) : bit(32);
  });
  const scope = bindTypes(c.scope.global, declaration.typeParameters, types);
  const matched = matchArguments(c, `'${className}'`, constructor.parameters, given, span);
  const args = matched.flatMap(({ parameter, argument }): Expr[] => {
    const node = argument?.value ?? parameter.fallback;
    if (!node) return [];
    return [checkKnown(c, node, resolveType({ ...c, scope }, parameter.type), UNKNOWN_ARGUMENT)];
  });
  const object: ExternObject = { id: newId(c), className, name, typeArgs: types, args };
  c.shared.program.objects.push(object);
  return object;
}

/** Instantiates an extern in an expression, such as `register<bit<8>>(16)`. */
export function constructObject(c: Context, node: Expression & { kind: 'call' }, name: string): ExternObject {
  const { callee } = node;
  if (callee.kind !== 'name') return c.shared.diagnostics.fail(callee.span, 'expected the name of an extern');
  const symbol = lookup(c, callee.name, callee.global, callee.span);
  if (symbol.kind !== 'extern')
    return c.shared.diagnostics.fail(callee.span, `'${callee.name}' is not an extern`);
  return makeObject(c, symbol.declaration, node.typeArgs ?? [], node.args, name, node.span);
}
