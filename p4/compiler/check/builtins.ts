/* Checks calls of the built-in methods of types, headers, stacks and packets. */
import type { Expression, Name } from '../ast.ts';
import type { Builtin, Expr } from '../ir.ts';
import type { Span } from '../source.ts';
import { coerce } from './coerce.ts';
import type { Context } from './context.ts';
import { check, checkAs, checkConstant, checkLvalue } from './expressions.ts';
import { resolveType } from './resolve.ts';
import { BOOL, INTEGER, VOID, bit, bitSize, isBits, typeKey, underlying } from './types.ts';
import type { Type } from './types.ts';

type Call = Expression & { kind: 'call' };

/** Checks methods of headers (P4_16 §8.18), stacks (§8.19), unions (§8.20), and sizes (§9). */
export function checkBuiltin(c: Context, base: Expr, baseNode: Expression, node: Call, member: Name): Expr {
  const { diagnostics } = c.shared;
  const { type } = base;
  const name = member.text;
  const { span } = node;
  if (name.startsWith('minSizeIn') || name.startsWith('maxSizeIn'))
    return checkTypeMethod(c, type, member, span);
  const make = (name: Builtin, result: Type, count = 0): Expr => ({
    op: 'builtin',
    name,
    base,
    count,
    type: result,
    span,
  });
  const noArguments = (): void => {
    if (node.args.length) diagnostics.fail(span, `'${name}' takes no arguments`);
  };
  if (name === 'isValid' && (type.kind === 'header' || type.kind === 'union')) {
    noArguments();
    return make(name, BOOL);
  }
  if ((name === 'setValid' || name === 'setInvalid') && type.kind === 'header') {
    noArguments();
    checkLvalue(c, baseNode);
    return make(name, VOID);
  }
  if ((name === 'push_front' || name === 'pop_front') && type.kind === 'stack') {
    checkLvalue(c, baseNode);
    const [count] = node.args;
    if (!count?.value || node.args.length !== 1) return diagnostics.fail(span, `'${name}' takes one number`);
    const value = checkConstant(c, count.value);
    if (value < 0n) diagnostics.fail(count.span, `'${name}' takes a positive number`);
    return make(name, VOID, Number(value < 1_000_000n ? value : 1_000_000n));
  }
  return diagnostics.fail(member.span, `${typeKey(type)} has no method '${name}'`);
}

/** Checks `T.minSizeInBits()` and similar methods (P4_16 §9). */
export function checkTypeMethod(c: Context, type: Type, member: Name, span: Span): Expr {
  const [, which, unit] = /^(min|max)SizeIn(Bits|Bytes)$/.exec(member.text) ?? [];
  const bits = bitSize(type, which === 'min');
  if (!which || bits === undefined)
    return c.shared.diagnostics.fail(member.span, `${typeKey(type)} has no method '${member.text}'`);
  return { op: 'int', value: BigInt(unit === 'Bits' ? bits : Math.ceil(bits / 8)), type: INTEGER, span };
}

/** Checks methods of packet_in (P4_16 §13.8) and packet_out (§16). */
export function checkPacketMethod(
  c: Context,
  which: 'packet_in' | 'packet_out',
  node: Call,
  member: Name,
): Expr {
  const { diagnostics } = c.shared;
  const { span } = node;
  const name = member.text;
  const [first, second] = node.args;
  if (which === 'packet_out') {
    if (name !== 'emit' || !first?.value || second)
      return diagnostics.fail(span, 'packet_out has emit(value) only (P4_16 §16)');
    const value = check(c, first.value);
    if (!emittable(value.type))
      diagnostics.fail(
        first.span,
        `emit requires headers, or a struct of headers, not ${typeKey(value.type)} (P4_16 §16)`,
      );
    return { op: 'emit', value, type: VOID, span };
  }
  switch (name) {
    case 'extract':
      return checkExtract(c, node);
    case 'lookahead': {
      const [argument] = node.typeArgs ?? [];
      if (!argument)
        return diagnostics.fail(span, 'lookahead requires its type: lookahead<T>() (P4_16 §13.8.3)');
      const type = resolveType(c, argument);
      const size = bitSize(type);
      if (size === undefined || bitSize(type, true) !== size)
        return diagnostics.fail(
          argument.span,
          `lookahead requires a type of fixed size, not ${typeKey(type)} (P4_16 §13.8.3)`,
        );
      return { op: 'lookahead', type, span };
    }
    case 'advance':
      if (!first?.value || second)
        return diagnostics.fail(span, 'advance takes the number of bits (P4_16 §13.8.4)');
      return { op: 'advance', bits: checkAs(c, first.value, bit(32)), type: VOID, span };
    case 'length':
      return { op: 'packetLength', type: bit(32), span };
    default:
      return diagnostics.fail(member.span, `packet_in has no method '${name}'`);
  }
}

function checkExtract(c: Context, node: Call): Expr {
  const { diagnostics } = c.shared;
  const { span } = node;
  const first = node.args.find(({ name }) => name?.text !== 'variableFieldSizeInBits');
  const second = node.args.find((argument) => argument !== first);
  if (!first || node.args.length > 2)
    return diagnostics.fail(span, 'extract takes a header, and the size of its varbit (P4_16 §13.8)');
  let header: Expr | undefined;
  let headerType: Type;
  if (first.value) {
    header = checkLvalue(c, first.value);
    headerType = header.type;
  } else {
    const [argument] = node.typeArgs ?? [];
    if (!argument)
      return diagnostics.fail(span, 'extract(_) requires the header type: extract<T>(_) (P4_16 §13.8.1)');
    headerType = resolveType(c, argument);
  }
  if (headerType.kind !== 'header')
    return diagnostics.fail(
      first.span,
      `extract requires a header, not ${typeKey(headerType)} (P4_16 §13.8)`,
    );
  const variable = headerType.fields.filter(({ type }) => type.kind === 'varbit').length;
  if (second && variable !== 1)
    diagnostics.fail(
      span,
      'extract with a size requires a header with exactly one varbit field (P4_16 §13.8.2)',
    );
  if (!second && variable)
    diagnostics.fail(span, 'a header with a varbit field is extracted with its size (P4_16 §13.8.2)');
  let size: Expr | undefined;
  if (second?.value) {
    size = check(c, second.value);
    if (
      size.type.kind === 'integer' ||
      !isBits(underlying(size.type)) ||
      underlying(size.type).kind === 'int'
    )
      size = coerce(c, size, bit(32));
  }
  return { op: 'extract', header, headerType, size, type: VOID, span };
}

function emittable(type: Type): boolean {
  switch (type.kind) {
    case 'header':
    case 'union':
      return true;
    case 'stack':
      return emittable(type.element);
    case 'struct':
      return type.fields.every((field) => emittable(field.type));
    case 'tuple':
      return type.elements.every(emittable);
    default:
      return false;
  }
}
