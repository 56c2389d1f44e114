import type { ActionDeclaration, FunctionDeclaration, Parameter as ParameterNode } from '../ast.ts';
import type { Expr, Parameter, Routine } from '../ir.ts';
import type { Span } from '../source.ts';
import type { Context } from './context.ts';
import { annotatedName, declare, newId, newVariable } from './context.ts';
import { checkKnown } from './expressions.ts';
import { resolveType } from './resolve.ts';
import { bindTypes, Scope } from './scope.ts';
import { checkBody, returnsAlways } from './statements.ts';
import { VOID, typeKey } from './types.ts';
import type { Type } from './types.ts';

/**
 * The maximum nesting depth. No program needs as much, so exceeding it means that an instance or function contains
 * itself.
 */
const MAX_DEPTH = 200;

/** Returns the function for these type arguments. Checks it at the first use. */
export function makeFunction(
  c: Context,
  declaration: FunctionDeclaration,
  typeArgs: readonly Type[],
  span: Span,
): Routine {
  const { shared } = c;
  const { prototype } = declaration;
  const key = `${declaration.span.file.path}:${declaration.span.start}<${typeArgs.map(typeKey).join(', ')}>`;
  const known = shared.functions.get(key);
  if (known) {
    if (!shared.program.routines.includes(known))
      shared.diagnostics.fail(span, `'${prototype.name.text}' calls itself: P4 has no recursion (P4_16 §10)`);
    return known;
  }
  const scope = bindTypes(c.scope.global, prototype.typeParameters, typeArgs);
  const outer: Context = { ...c, scope, path: '', inside: 'function', loops: 0 };
  const returns = prototype.returns ? resolveType(outer, prototype.returns) : VOID;
  const parameters = makeParameters(outer, prototype.parameters);
  const routine: Routine = {
    id: newId(c),
    kind: 'function',
    name: prototype.name.text,
    parameters,
    returns,
    body: [],
    exits: false,
  };
  shared.functions.set(key, routine);
  withDepthLimit(c, span, () => {
    routine.body = checkBody({ ...outer, returns, markExit: () => (routine.exits = true) }, declaration.body);
  });
  if (returns.kind !== 'void' && !returnsAlways(routine.body))
    shared.diagnostics.error(
      declaration.name.span,
      `'${routine.name}' can end without returning a value (P4_16 §10)`,
    );
  shared.program.routines.push(routine);
  return routine;
}

export function withDepthLimit(c: Context, span: Span, run: () => void): void {
  const { shared } = c;
  if (++shared.depth > MAX_DEPTH) shared.diagnostics.fail(span, 'this contains itself');
  try {
    run();
  } finally {
    shared.depth--;
  }
}

export function makeAction(c: Context, declaration: ActionDeclaration): Routine {
  const scope = new Scope(c.scope);
  const outer: Context = { ...c, scope, inside: 'action', loops: 0, returns: VOID };
  let data = false;
  for (const { direction, name } of declaration.parameters) {
    if (direction === 'none') data = true;
    else if (data)
      c.shared.diagnostics.error(name.span, 'parameters without a direction come last (P4_16 §14.1)');
  }
  const parameters = makeParameters(outer, declaration.parameters);
  const routine: Routine = {
    id: newId(c),
    kind: 'action',
    name: declaration.name.text,
    parameters,
    returns: VOID,
    body: [],
    exits: false,
  };
  routine.body = checkBody({ ...outer, markExit: () => (routine.exits = true) }, declaration.body);
  c.shared.program.routines.push(routine);
  return routine;
}

/** Checks the default value of a parameter (P4_16 §6.8.2). */
export function checkFallback(c: Context, node: ParameterNode, type: Type): Expr | undefined {
  return node.fallback && checkKnown(c, node.fallback, type, 'a default value must be known at compile time');
}

/** Declares the parameters of an action or function in the scope of its body. */
function makeParameters(c: Context, nodes: readonly ParameterNode[]): Parameter[] {
  return nodes.map((node) => {
    const type = resolveType(c, node.type);
    if (type.kind === 'extern')
      c.shared.diagnostics.refuse(node.type.span, 'a parameter of an extern type', 'P4_16 §7.2.10');
    const copied = node.direction === 'out' || node.direction === 'inout';
    const variable = newVariable(c, node.name.text, type, copied);
    declare(c, node.name, { kind: 'variable', variable, direction: node.direction });
    const label = annotatedName(node.annotations) ?? node.name.text;
    return { direction: node.direction, variable, label, fallback: checkFallback(c, node, type) };
  });
}
