import type { Annotation, Expression, StructDeclaration, TypeNode } from '../ast.ts';
import { parseAnnotationBody } from '../parser/expressions.ts';
import type { Span } from '../source.ts';
import { MAX_WIDTH } from './constants.ts';
import type { Context } from './context.ts';
import { lookup } from './context.ts';
import { checkConstant } from './expressions.ts';
import { bindTypes } from './scope.ts';
import { isBits, isStruct, typeKey, underlying } from './types.ts';
import type { FieldType, StructType, Type } from './types.ts';

const MAX_STACK = 4096n;

/** Resolves the syntax of a type to its type. */
export function resolveType(c: Context, node: TypeNode): Type {
  const { diagnostics } = c.shared;
  switch (node.kind) {
    case 'base':
      return node.name === 'int' ? { kind: 'integer' } : { kind: node.name };
    case 'sized': {
      const least = node.name === 'int' ? 1n : 0n;
      const width = constantNumber(c, node.width, least, MAX_WIDTH, `the width of ${node.name}<>`);
      return { kind: node.name, width };
    }
    case 'tuple':
      return { kind: 'tuple', elements: node.elements.map((element) => resolveType(c, element)) };
    case 'stack': {
      const element = resolveType(c, node.element);
      if (!['header', 'union', 'variable'].includes(element.kind))
        diagnostics.refuse(
          node.span,
          `an array of ${typeKey(element)}; a stack holds headers`,
          'P4_16 §7.2.3',
        );
      return {
        kind: 'stack',
        element,
        size: constantNumber(c, node.size, 1n, MAX_STACK, 'the size of a stack'),
      };
    }
    case 'list':
      return diagnostics.refuse(node.span, 'the type list<>', 'P4_16 §7.2.7');
    case 'any':
      return { kind: 'variable', name: '_' };
    case 'named':
      return resolveNamed(c, node);
  }
}

function resolveNamed(c: Context, node: TypeNode & { kind: 'named' }): Type {
  const { diagnostics } = c.shared;
  const symbol = lookup(c, node.name.text, node.global, node.span);
  const args = node.args.map((arg) => resolveType(c, arg));
  const name = node.name.text;
  switch (symbol.kind) {
    case 'type':
      if (args.length) diagnostics.fail(node.span, `'${name}' takes no type arguments`);
      return symbol.type;
    case 'generic': {
      const wanted = symbol.declaration.typeParameters.length;
      if (args.length !== wanted)
        diagnostics.fail(node.span, `'${name}' takes ${wanted} type arguments, not ${args.length}`);
      return structType(c, symbol.declaration, args);
    }
    case 'extern':
      return { kind: 'extern', name, args };
    case 'unit':
      return { kind: symbol.declaration.kind, name };
    case 'package':
      return { kind: 'package', name };
    default:
      return diagnostics.fail(node.span, `'${name}' is not a type`);
  }
}

/** Checks an expression that must be a constant whole number within bounds. */
function constantNumber(c: Context, node: Expression, least: bigint, most: bigint, what: string): number {
  const value = checkConstant(c, node);
  if (value < least || value > most)
    c.shared.diagnostics.fail(node.span, `${what} is ${value}, but must be from ${least} to ${most}`);
  return Number(value);
}

/** Returns the type of a struct, header or union; the same object for the same type arguments. */
export function structType(c: Context, declaration: StructDeclaration, args: readonly Type[]): StructType {
  const name = declaration.name.text;
  const key = args.length ? `${name}<${args.map(typeKey).join(', ')}>` : name;
  const known = c.shared.structs.get(key);
  if (known) return known;
  const inner: Context = { ...c, scope: bindTypes(c.scope.global, declaration.typeParameters, args) };
  const fields: FieldType[] = [];
  for (const field of declaration.fields)
    c.shared.diagnostics.attempt(() => {
      const type = resolveType(inner, field.type);
      checkField(c, declaration, field.name.text, type, field.type.span);
      if (fields.some((other) => other.name === field.name.text))
        c.shared.diagnostics.error(field.name.span, `the field '${field.name.text}' is declared twice`);
      fields.push({ name: field.name.text, type, fieldLists: fieldLists(inner, field.annotations) });
    });
  const kind = declaration.kind === 'header_union' ? 'union' : declaration.kind;
  const made: StructType = { kind, name, fields, key, generic: args.length ? declaration : undefined, args };
  c.shared.structs.set(key, made);
  return made;
}

/** Checks whether a declaration may contain a field of this type (the table of P4_16 §7.2.8). */
function checkField(c: Context, declaration: StructDeclaration, name: string, type: Type, span: Span): void {
  const actual = underlying(type);
  if (declaration.kind === 'header' && actual.kind !== 'varbit' && !hasFixedBits(actual))
    c.shared.diagnostics.error(
      span,
      `a header cannot have the field '${name}' of type ${typeKey(type)} (P4_16 §7.2.8)`,
    );
  if (declaration.kind === 'header_union' && actual.kind !== 'header' && actual.kind !== 'variable')
    c.shared.diagnostics.error(span, `a header_union has headers only, not ${typeKey(type)} (P4_16 §7.2.4)`);
  if (
    declaration.kind === 'struct' &&
    ['integer', 'void', 'match_kind', 'extern', 'package'].includes(actual.kind)
  )
    c.shared.diagnostics.error(
      span,
      `a struct cannot have the field '${name}' of type ${typeKey(type)} (P4_16 §7.2.8)`,
    );
}

/** Whether a header may contain the type, apart from varbit: bits, bool, and structs of these. */
function hasFixedBits(type: Type): boolean {
  const actual = underlying(type);
  if (actual.kind === 'struct') return actual.fields.every((field) => hasFixedBits(field.type));
  return isBits(actual) || actual.kind === 'bool' || actual.kind === 'variable';
}

/** Returns the numbers in annotations such as `@field_list(1, Lists.resubmit)`. */
function fieldLists(c: Context, annotations: readonly Annotation[]): number[] {
  return annotations
    .filter(({ name }) => name === 'field_list')
    .flatMap(({ body, span }) =>
      parseAnnotationBody(body, span, c.shared.diagnostics).map((node) => Number(checkConstant(c, node))),
    );
}

/** Replaces type variables by their inferred types. */
export function substitute(c: Context, type: Type, bindings: ReadonlyMap<string, Type>): Type {
  const each = (types: readonly Type[]): Type[] => types.map((part) => substitute(c, part, bindings));
  switch (type.kind) {
    case 'variable':
      return bindings.get(type.name) ?? type;
    case 'tuple':
      return { kind: 'tuple', elements: each(type.elements) };
    case 'stack':
      return { ...type, element: substitute(c, type.element, bindings) };
    case 'extern':
      return { ...type, args: each(type.args) };
    default:
      return isStruct(type) && type.generic ? structType(c, type.generic, each(type.args)) : type;
  }
}

/** Whether the type contains type variables, or the unknown type of a `{#}`. */
export function isOpen(type: Type): boolean {
  switch (type.kind) {
    case 'variable':
    case 'invalidHeader':
      return true;
    case 'tuple':
      return type.elements.some(isOpen);
    case 'stack':
      return isOpen(type.element);
    case 'extern':
      return type.args.some(isOpen);
    default:
      return isStruct(type) && type.args.some(isOpen);
  }
}

/**
 * Infers the type variables of `pattern` so that it equals `type`. A sized type overrides an inference from a literal.
 */
export function unify(pattern: Type, type: Type, bindings: Map<string, Type>): void {
  if (pattern.kind === 'variable') {
    const bound = bindings.get(pattern.name);
    if (!bound || bound.kind === 'integer') bindings.set(pattern.name, type);
  } else if (pattern.kind === 'tuple' && type.kind === 'tuple') {
    unifyAll(pattern.elements, type.elements, bindings);
  } else if (pattern.kind === 'stack' && type.kind === 'stack') {
    unify(pattern.element, type.element, bindings);
  } else if (pattern.kind === 'extern' && type.kind === 'extern') {
    unifyAll(pattern.args, type.args, bindings);
  } else if (isStruct(pattern) && isStruct(type) && pattern.generic === type.generic) {
    unifyAll(pattern.args, type.args, bindings);
  }
}

function unifyAll(patterns: readonly Type[], types: readonly Type[], bindings: Map<string, Type>): void {
  for (const [at, pattern] of patterns.entries()) {
    const type = types[at];
    if (type) unify(pattern, type, bindings);
  }
}
