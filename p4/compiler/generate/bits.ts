/*
 * Converts between packets and values: extraction, lookahead, emission, and packing of data for hashes and checksums.
 */
import { bitSize, isObject, underlying } from '../check/types.ts';
import type { Type } from '../check/types.ts';
import type { Expr } from '../ir.ts';
import type { Body, Module } from './body.ts';
import { getFields } from './classes.ts';
import {
  asNumber,
  fieldName,
  representation,
  isSigned,
  mask,
  unsignedBits,
  bitWidth,
  wrapBig,
  wrapNumber,
} from './representation.ts';

interface Leaf {
  readonly path: string;
  readonly type: Type;
}

/** Lists the bit fields of a value in wire order. */
function leaves(type: Type, path: string): Leaf[] {
  const actual = underlying(type);
  if (actual.kind === 'stack')
    return Array.from({ length: actual.size }, (_, at) =>
      leaves(actual.element, `${path}.$at(${at})`),
    ).flat();
  if (!isObject(actual)) return [{ path, type }];
  return getFields(actual).flatMap((field) => leaves(field.type, `${path}.${fieldName(field.name)}`));
}

/**
 * Returns code that reads `width` bits, starting `offset` bits after byte `p` of `bytes`. The offset is known at
 * compile time.
 */
function readAligned(offset: number, width: number): string {
  const first = offset >> 3;
  const last = (offset + width - 1) >> 3;
  const count = last - first + 1;
  const byte = (at: number): string => `bytes[p + ${at}]`;
  if (width === 0) return '0';
  if (count > 4) return `$rt.readBits(bytes, (p << 3) + ${offset}, ${width})`;
  const parts = Array.from({ length: count }, (_, at) => {
    const left = 8 * (count - 1 - at);
    return left ? `${byte(first + at)} << ${left}` : byte(first + at);
  });
  const right = 8 * (last + 1) - offset - width;
  const all = `(${parts.join(' | ')})`;
  const shifted = right ? `(${all} >>> ${right})` : all;
  if (width === 32) return `(${shifted} >>> 0)`;
  return width === 8 * count - right && count < 4 && offset % 8 === 0
    ? shifted
    : `(${shifted} & ${mask(width)})`;
}

/** Converts raw bits to a value of their type. */
function fromBits(code: string, type: Type): string {
  const actual = underlying(type);
  if (actual.kind === 'bool') return `(${code} === 1)`;
  if (!isSigned(type)) return code;
  const width = bitWidth(type);
  return representation(type) === 'bigint' ? wrapBig(code, width, true) : wrapNumber(code, width, true);
}

const readAt = (offset: string, type: Type): string =>
  representation(type) === 'bigint'
    ? `$rt.readBig(bytes, ${offset}, ${bitWidth(type)})`
    : `$rt.readBits(bytes, ${offset}, ${bitWidth(type)})`;

/** Returns lines that fill `target` from the packet, starting at bit position `at`. */
function readLines(type: Type, target: string): string[] {
  const list = leaves(type, target);
  const aligned: string[] = [];
  const unaligned: string[] = [];
  let offset = 0;
  for (const leaf of list) {
    const width = bitWidth(leaf.type);
    const big = representation(leaf.type) === 'bigint';
    const bytewise = offset % 8 === 0 && width % 8 === 0;
    const code = !big
      ? readAligned(offset, width)
      : bytewise
        ? `$rt.readBytes(bytes, p + ${offset / 8}, ${width / 8})`
        : readAt(`at + ${offset}`, leaf.type);
    aligned.push(`${leaf.path} = ${fromBits(code, leaf.type)};`);
    unaligned.push(`${leaf.path} = ${fromBits(readAt(`at + ${offset}`, leaf.type), leaf.type)};`);
    offset += width;
  }
  return [
    'const bytes = $in.bytes;',
    'if ((at & 7) === 0) {',
    '  const p = at >>> 3;',
    ...aligned.map((line) => `  ${line}`),
    '} else {',
    ...unaligned.map((line) => `  ${line}`),
    '}',
  ];
}

/** Returns the name of the function that extracts a header of this type. Generates it at the first use. */
export function extractFunction(module: Module, type: Type): string {
  const name = `extract$${module.classes.className(type)}`;
  return once(module, name, () => {
    const fields = getFields(type);
    if (!fields.some((field) => field.type.kind === 'varbit')) {
      const size = bitSize(type) ?? 0;
      return [
        `function ${name}(h) {`,
        `  const at = $in.take(${size});`,
        ...readLines(type, 'h').map((line) => `  ${line}`),
        '  h.$valid = true;',
        '}',
      ];
    }
    const fixed = bitSize(type, true) ?? 0;
    const lines = [
      `function ${name}(h, size) {`,
      `  let at = $in.takeVariable(${fixed}, size, ${bitSize(type) ?? 0});`,
      '  const bytes = $in.bytes;',
    ];
    for (const leaf of leaves(type, 'h')) {
      if (leaf.type.kind === 'varbit')
        lines.push(`  ${leaf.path} = $rt.varbit(size, $rt.readBig(bytes, at, size));`, '  at += size;');
      else
        lines.push(
          `  ${leaf.path} = ${fromBits(readAt('at', leaf.type), leaf.type)};`,
          `  at += ${bitWidth(leaf.type)};`,
        );
    }
    return [...lines, '  h.$valid = true;', '}'];
  });
}

/** Generates `lookahead<T>()`: a new value, without advancing in the packet (P4_16 §13.8.3). */
export function lookaheadCode(b: Body, type: Type): string {
  const { module } = b;
  const at = `$in.peek(${bitSize(type) ?? 0})`;
  if (!isObject(type))
    return b.spill(
      fromBits(
        `$in.${representation(type) === 'bigint' ? 'readBig' : 'read'}(${at}, ${bitWidth(type)})`,
        type,
      ),
    );
  const name = `lookahead$${module.classes.className(type)}`;
  once(module, name, () => [
    `function ${name}() {`,
    `  const at = ${at};`,
    `  const made = ${module.classes.zero(type)};`,
    ...(type.kind === 'header' ? ['  made.$valid = true;'] : []),
    ...readLines(type, 'made').map((line) => `  ${line}`),
    '  return made;',
    '}',
  ]);
  return b.spill(`${name}()`);
}

/** Returns the name of the function that appends a header of this type to the packet if the header is valid. */
export function emitFunction(module: Module, type: Type): string {
  const name = `emit$${module.classes.className(type)}`;
  return once(module, name, () => [
    `function ${name}(h) {`,
    '  if (!h.$valid) return;',
    ...writeLines(type, 'h').map((line) => `  ${line}`),
    '}',
  ]);
}

function writeLines(type: Type, source: string): string[] {
  const list = leaves(type, source);
  const simple = list.map((leaf) => `$out.${putCode(leaf.path, leaf.type)};`);
  const size = bitSize(type) ?? 0;
  const plain = size % 8 === 0 && list.every((leaf) => leaf.type.kind !== 'varbit');
  if (!plain || size === 0) return simple;
  const bytes = byteLines(list);
  if (!bytes) return simple;
  return [
    `const p = $out.aligned(${size / 8});`,
    'if (p < 0) {',
    ...simple.map((line) => `  ${line}`),
    '  return;',
    '}',
    'const bytes = $out.bytes;',
    ...bytes,
  ];
}

/** Returns lines that build whole bytes from the fields that share them; undefined if a BigInt is not byte-aligned. */
function byteLines(list: readonly Leaf[]): string[] | undefined {
  const bytes = new Map<number, string[]>();
  const lines: string[] = [];
  let offset = 0;
  for (const leaf of list) {
    const width = bitWidth(leaf.type);
    const value = unsignedBits(leaf.path, leaf.type);
    if (representation(leaf.type) === 'bigint') {
      if (offset % 8 || width % 8) return undefined;
      lines.push(`$rt.writeBig(bytes, p + ${offset / 8}, ${value}, ${width / 8});`);
    } else
      for (let bit = offset; bit < offset + width;) {
        const at = bit >> 3;
        const end = Math.min(offset + width, (at + 1) * 8);
        const right = offset + width - end;
        const left = (at + 1) * 8 - end;
        let code = right ? `(${value} >>> ${right})` : value;
        if (bit > offset && left) code = `(${code} & ${mask(end - bit)})`;
        if (left) code = `(${code} << ${left})`;
        bytes.set(at, [...(bytes.get(at) ?? []), code]);
        bit = end;
      }
    offset += width;
  }
  for (const [at, parts] of bytes) lines.push(`bytes[p + ${at}] = ${parts.join(' | ')};`);
  return lines;
}

/** Returns the method call on a bit writer that appends one value. */
function putCode(code: string, type: Type): string {
  switch (representation(type)) {
    case 'varbit':
      return `putBig(${code}.value, ${code}.bits)`;
    case 'bigint':
      return `putBig(${unsignedBits(code, type)}, ${bitWidth(type)})`;
    default:
      return `put(${unsignedBits(code, type)}, ${bitWidth(type)})`;
  }
}

/** Generates lines that write data to `$bits`, the buffer for hashes, checksums and digests. */
export function packData(b: Body, data: Expr): void {
  const parts = data.op === 'aggregate' ? data.parts : [data];
  const codes = b.expressions(parts);
  const list = parts.flatMap((part, at) => {
    const code = codes[at] ?? '';
    if (part.type.kind === 'integer')
      b.module.diagnostics.error(part.span, 'a number among this data needs a width, such as 8w1');
    // The generated lines read the value several times, once per byte, so it needs a name.
    return leaves(part.type, /^[\w$.]+$/.test(code) ? code : b.spill(code));
  });
  b.line('$bits.clear();');
  const size = list.reduce((sum, leaf) => sum + bitWidth(leaf.type), 0);
  const fixed = size > 0 && size % 8 === 0 && list.every((leaf) => representation(leaf.type) !== 'varbit');
  const bytes = fixed ? byteLines(list) : undefined;
  if (!bytes) {
    for (const leaf of list) b.line(`$bits.${putCode(leaf.path, leaf.type)};`);
    return;
  }
  b.line('{');
  for (const line of [`const p = $bits.aligned(${size / 8});`, 'const bytes = $bits.bytes;', ...bytes])
    b.line(`  ${line}`);
  b.line('}');
}

export function variableSize(b: Body, size: Expr): string {
  return asNumber(b.expression(size), size.type);
}

const written = new WeakMap<Module, Set<string>>();

function once(module: Module, name: string, write: () => string[]): string {
  const names = written.get(module) ?? new Set<string>();
  written.set(module, names);
  if (!names.has(name)) {
    names.add(name);
    module.functions.push(...write());
  }
  return name;
}
