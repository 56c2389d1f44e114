import type { Expression } from '../ast.ts';
import type { Expr } from '../ir.ts';
import type { Span } from '../source.ts';
import { checkCall } from './calls.ts';
import { coerce, explicitCast, partTypes } from './coerce.ts';
import { isConstant } from './constants.ts';
import type { Context } from './context.ts';
import { didYouMean, lookup } from './context.ts';
import { checkBinary, checkConditional, checkSlice, checkUnary } from './operators.ts';
import { isOpen, resolveType } from './resolve.ts';
import type { Symbol } from './scope.ts';
import {
  BOOL,
  ERROR,
  INTEGER,
  STRING,
  bit,
  findField,
  isBits,
  isStruct,
  typeKey,
  underlying,
} from './types.ts';
import type { StructType, Type } from './types.ts';

/**
 * Checks an expression and determines its type. `expected` is the type that the context requires, for literals, lists
 * and records.
 */
export function check(c: Context, node: Expression, expected?: Type): Expr {
  const { diagnostics } = c.shared;
  const { span } = node;
  switch (node.kind) {
    case 'integer':
      return checkInteger(c, node);
    case 'boolean':
      return { op: 'bool', value: node.value, type: BOOL, span };
    case 'string':
      return { op: 'string', value: node.value, type: STRING, span };
    case 'name':
      return nameValue(c, lookup(c, node.name, node.global, span), node.name, span);
    case 'member':
      return checkMember(c, node);
    case 'index':
      return checkIndex(c, node);
    case 'slice':
    case 'part':
      return checkSlice(c, node);
    case 'list':
      return checkList(c, node, expected);
    case 'record':
      return checkRecord(c, node, expected);
    case 'invalid':
      return expected && (expected.kind === 'header' || expected.kind === 'union')
        ? { op: 'default', type: expected, span }
        : { op: 'default', type: { kind: 'invalidHeader' }, span };
    case 'rest':
      if (!expected || isOpen(expected)) return diagnostics.fail(span, "'...' has no type here (P4_16 §7.3)");
      return { op: 'default', type: expected, span };
    case 'unary':
      return checkUnary(c, node, expected);
    case 'binary':
      return checkBinary(c, node);
    case 'conditional':
      return checkConditional(c, node, expected);
    case 'cast': {
      const type = resolveType(c, node.type);
      return explicitCast(c, check(c, node.operand, type), type, span);
    }
    case 'call':
      return checkCall(c, node, expected);
    case 'mask':
    case 'range':
    case 'any':
      return diagnostics.fail(span, 'a set of values is not allowed here (P4_16 §8.16)');
    case 'typed':
      return diagnostics.fail(span, 'a type is not a value');
    case 'this':
      return diagnostics.refuse(span, "'this'", 'P4_16 §11.3.1');
  }
}

/** Checks an expression and casts it to the type that the context requires. */
export function checkAs(c: Context, node: Expression, type: Type): Expr {
  return coerce(c, check(c, node, type), type);
}

/** Checks an expression that must be known at compile time. If it is not, reports `problem`. */
export function checkKnown(c: Context, node: Expression, type: Type, problem: string): Expr {
  const value = checkAs(c, node, type);
  if (!isConstant(value)) c.shared.diagnostics.fail(node.span, problem);
  return value;
}

/** The error for an argument of a constructor that is not known at compile time. */
export const UNKNOWN_ARGUMENT = 'the arguments of a constructor must be known at compile time (P4_16 §8.22)';

/** Checks an expression that must be a constant whole number. */
export function checkConstant(c: Context, node: Expression): bigint {
  const expr = check(c, node, INTEGER);
  if (expr.op !== 'int' || !(isBits(underlying(expr.type)) || expr.type.kind === 'integer'))
    return c.shared.diagnostics.fail(node.span, 'this must be a number known at compile time');
  return expr.value;
}

function checkInteger(c: Context, node: Expression & { kind: 'integer' }): Expr {
  const { literal, span } = node;
  const { value, width, signed } = literal;
  if (width === undefined) return { op: 'int', value, type: INTEGER, span };
  if (signed && width < 1) return c.shared.diagnostics.fail(span, 'a signed integer has at least one bit');
  const type: Type = { kind: signed ? 'int' : 'bit', width };
  const held = signed ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value);
  if (BigInt.asUintN(width, value) !== value)
    c.shared.diagnostics.warning(span, `${value} does not fit ${typeKey(type)}; its low bits are taken`);
  return { op: 'int', value: held, type, span };
}

function nameValue(c: Context, symbol: Symbol, name: string, span: Span): Expr {
  switch (symbol.kind) {
    case 'constant':
      return { ...symbol.value, span };
    case 'variable':
      return { op: 'variable', variable: symbol.variable, type: symbol.variable.type, span };
    case 'object': {
      const { object } = symbol;
      return {
        op: 'object',
        object,
        type: { kind: 'extern', name: object.className, args: object.typeArgs },
        span,
      };
    }
    default:
      return c.shared.diagnostics.fail(span, `'${name}' is not a value`);
  }
}

/** Returns the type that a node names, if any, as in `Color.red` or `error.NoError`. */
export function namedType(c: Context, node: Expression): Type | undefined {
  if (node.kind === 'typed') return resolveType(c, node.type);
  if (node.kind !== 'name') return undefined;
  const symbol = (node.global ? c.scope.global : c.scope).find(node.name);
  return symbol?.kind === 'type' ? symbol.type : undefined;
}

function checkMember(c: Context, node: Expression & { kind: 'member' }): Expr {
  const { diagnostics } = c.shared;
  const { span } = node;
  const name = node.member.text;
  const type = namedType(c, node.base);
  if (type) return typeMember(c, type, name, span);
  const base = check(c, node.base);
  if (base.op === 'apply') {
    if (name !== 'hit' && name !== 'miss' && name !== 'action_run')
      return diagnostics.fail(
        node.member.span,
        `apply() gives hit, miss and action_run, not '${name}' (P4_16 §14.2.2)`,
      );
    return { ...base, result: name, type: name === 'action_run' ? { kind: 'actionRun' } : BOOL, span };
  }
  if (base.type.kind === 'stack') return stackMember(c, base, base.type.element, base.type.size, name, span);
  if (!isStruct(base.type))
    return diagnostics.fail(node.member.span, `${typeKey(base.type)} has no field '${name}'`);
  const field = findField(base.type, name);
  if (!field) {
    const names = base.type.fields.map((each) => each.name);
    return diagnostics.fail(
      node.member.span,
      `${typeKey(base.type)} has no field '${name}'${didYouMean(name, names)}`,
    );
  }
  if (base.op === 'aggregate') {
    const part = base.parts[base.type.fields.indexOf(field)];
    if (part) return part;
  }
  return { op: 'field', base, field: name, type: field.type, span };
}

function typeMember(c: Context, type: Type, name: string, span: Span): Expr {
  const { diagnostics, program } = c.shared;
  if (type.kind === 'error') {
    const value = program.errors.indexOf(name);
    if (value < 0) return diagnostics.fail(span, `there is no error.${name}`);
    return { op: 'int', value: BigInt(value), type: ERROR, span };
  }
  if (type.kind === 'enum' && type.members.includes(name))
    return { op: 'int', value: BigInt(type.members.indexOf(name)), type, span };
  const value = type.kind === 'serializable' ? type.members.get(name) : undefined;
  if (value !== undefined) return { op: 'int', value, type, span };
  return diagnostics.fail(span, `${typeKey(type)} has no member '${name}'`);
}

/** Checks a member of a header stack (P4_16 §8.19). */
function stackMember(c: Context, base: Expr, element: Type, size: number, name: string, span: Span): Expr {
  const { diagnostics } = c.shared;
  switch (name) {
    case 'size':
      return { op: 'int', value: BigInt(size), type: bit(32), span };
    case 'lastIndex':
      return { op: 'stack', base, what: 'lastIndex', type: bit(32), span };
    case 'next':
    case 'last':
      if (c.inside !== 'state' && c.inside !== 'parser')
        return diagnostics.fail(span, `'${name}' of a stack is only allowed in parsers (P4_16 §8.19)`);
      return { op: 'stack', base, what: name, type: element, span };
    default:
      return diagnostics.fail(span, `a header stack has no '${name}' (P4_16 §8.19)`);
  }
}

function checkIndex(c: Context, node: Expression & { kind: 'index' }): Expr {
  const { diagnostics } = c.shared;
  const base = check(c, node.base);
  const index = check(c, node.index);
  const { span } = node;
  if (base.type.kind === 'tuple') {
    const at = index.op === 'int' ? Number(index.value) : -1;
    const type = base.type.elements[at];
    if (!type)
      return diagnostics.fail(
        node.index.span,
        `the index of a tuple must be known, from 0 to ${base.type.elements.length - 1}`,
      );
    const part = base.op === 'aggregate' ? base.parts[at] : undefined;
    return part ?? { op: 'field', base, field: `_${at}`, type, span };
  }
  if (base.type.kind !== 'stack') return diagnostics.fail(span, `${typeKey(base.type)} cannot be indexed`);
  if (index.op === 'int' && (index.value < 0n || index.value >= BigInt(base.type.size)))
    return diagnostics.fail(
      node.index.span,
      `the index ${index.value} is outside this stack of ${base.type.size}`,
    );
  if (!isBits(underlying(index.type)) && index.type.kind !== 'integer')
    return diagnostics.fail(node.index.span, `an index must be a number, not ${typeKey(index.type)}`);
  return { op: 'element', base, index, type: base.type.element, span };
}

/** Checks `{a, b}` (P4_16 §8.13-8.15). */
function checkList(c: Context, node: Expression & { kind: 'list' }, expected: Type | undefined): Expr {
  const { span } = node;
  const wanted = expected && !isOpen(expected) ? partTypes(expected) : undefined;
  if (!wanted || !expected) {
    const parts = node.elements.map((element) => check(c, element));
    return { op: 'aggregate', parts, type: { kind: 'tuple', elements: parts.map(({ type }) => type) }, span };
  }
  const open = node.elements.at(-1)?.kind === 'rest';
  const given = open ? node.elements.slice(0, -1) : node.elements;
  if (open ? given.length > wanted.length : given.length !== wanted.length)
    return c.shared.diagnostics.fail(
      span,
      `${typeKey(expected)} has ${wanted.length} parts, but this list has ${given.length}`,
    );
  const parts = wanted.map((type, at): Expr => {
    const element = given[at];
    return element ? checkAs(c, element, type) : { op: 'default', type, span };
  });
  return { op: 'aggregate', parts, type: expected, span };
}

/** Checks `{a = x, b = y}` (P4_16 §8.14). */
function checkRecord(c: Context, node: Expression & { kind: 'record' }, expected: Type | undefined): Expr {
  const { diagnostics } = c.shared;
  const { span } = node;
  if (!expected || isOpen(expected) || !isStruct(expected)) {
    const parts = node.fields.map(({ value }) => check(c, value));
    const fields = node.fields.map(({ name }, at) => ({
      name: name.text,
      type: parts[at]?.type ?? INTEGER,
      fieldLists: [],
    }));
    const key = `{${fields.map(({ name, type }) => `${name} = ${typeKey(type)}`).join(', ')}}`;
    const type: StructType = { kind: 'struct', name: '', fields, key, generic: undefined, args: [] };
    return { op: 'aggregate', parts, type, span };
  }
  for (const { name } of node.fields)
    if (!findField(expected, name.text))
      diagnostics.error(name.span, `${typeKey(expected)} has no field '${name.text}'`);
  const parts = expected.fields.map((field): Expr => {
    const given = node.fields.find(({ name }) => name.text === field.name);
    if (given) return checkAs(c, given.value, field.type);
    if (!node.rest) diagnostics.error(span, `the field '${field.name}' of ${typeKey(expected)} is missing`);
    return { op: 'default', type: field.type, span };
  });
  return { op: 'aggregate', parts, type: expected, span };
}

/** Checks the target of an assignment or an `out` argument (P4_16 §6.7). */
export function checkLvalue(c: Context, node: Expression): Expr {
  const expr = check(c, node);
  requireLvalue(c, expr, node);
  return expr;
}

function requireLvalue(c: Context, expr: Expr, node: Expression): void {
  const { diagnostics } = c.shared;
  switch (expr.op) {
    case 'variable': {
      const symbol = node.kind === 'name' ? c.scope.find(node.name) : undefined;
      if (symbol?.kind === 'variable' && (symbol.direction === 'in' || symbol.direction === 'none'))
        diagnostics.fail(
          node.span,
          `'${expr.variable.name}' cannot be written: it is an 'in' parameter (P4_16 §6.8)`,
        );
      return;
    }
    case 'field':
    case 'element':
    case 'slice':
      if ('base' in node) requireLvalue(c, expr.base, node.base);
      return;
    case 'stack':
      if (expr.what === 'next' || expr.what === 'last') return;
  }
  diagnostics.fail(node.span, 'this cannot be written to (P4_16 §6.7)');
}
