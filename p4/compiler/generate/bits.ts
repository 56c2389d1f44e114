/* Between packets and values: extraction, lookahead, emission, and the packing of data for hashes and checksums. */
import { bitSize, isObject, underlying } from '../check/types.ts';
import type { Type } from '../check/types.ts';
import type { Expr } from '../ir.ts';
import type { Body, Module } from './body.ts';
import { fieldsOf } from './classes.ts';
import {
  asNumber,
  fieldName,
  held,
  isSigned,
  mask,
  unsignedBits,
  widthOf,
  wrapBig,
  wrapNumber,
} from './representation.ts';

interface Leaf {
  readonly path: string;
  readonly type: Type;
}

/** The bit fields of a value in the order in which they are on the wire. */
function leaves(type: Type, path: string): Leaf[] {
  const actual = underlying(type);
  if (actual.kind === 'stack')
    return Array.from({ length: actual.size }, (_, at) =>
      leaves(actual.element, `${path}.$at(${at})`),
    ).flat();
  if (!isObject(actual)) return [{ path, type }];
  return fieldsOf(actual).flatMap((field) => leaves(field.type, `${path}.${fieldName(field.name)}`));
}

/** Reads `width` bits that start `offset` bits after byte `p` of `bytes`, with the position known when this is written. */
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

/** Raw bits as a value of their type. */
function fromBits(code: string, type: Type): string {
  const actual = underlying(type);
  if (actual.kind === 'bool') return `(${code} === 1)`;
  if (!isSigned(type)) return code;
  const width = widthOf(type);
  return held(type) === 'bigint' ? wrapBig(code, width, true) : wrapNumber(code, width, true);
}

const readAt = (offset: string, type: Type): string =>
  held(type) === 'bigint'
    ? `$rt.readBig(bytes, ${offset}, ${widthOf(type)})`
    : `$rt.readBits(bytes, ${offset}, ${widthOf(type)})`;

/** Lines that fill `target` from the packet at the bit position `at`. */
function readLines(type: Type, target: string): string[] {
  const list = leaves(type, target);
  const aligned: string[] = [];
  const unaligned: string[] = [];
  let offset = 0;
  for (const leaf of list) {
    const width = widthOf(leaf.type);
    const big = held(leaf.type) === 'bigint';
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

/** The function that extracts a header of this type; written when first wanted. */
export function extractFunction(module: Module, type: Type): string {
  const name = `extract$${module.classes.nameOf(type)}`;
  return once(module, name, () => {
    const fields = fieldsOf(type);
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
          `  at += ${widthOf(leaf.type)};`,
        );
    }
    return [...lines, '  h.$valid = true;', '}'];
  });
}

/** `lookahead<T>()`: a fresh value, the packet stays where it is (P4_16 §13.8.3). */
export function lookaheadCode(b: Body, type: Type): string {
  const { module } = b;
  const at = `$in.peek(${bitSize(type) ?? 0})`;
  if (!isObject(type))
    return b.spill(
      fromBits(`$in.${held(type) === 'bigint' ? 'readBig' : 'read'}(${at}, ${widthOf(type)})`, type),
    );
  const name = `lookahead$${module.classes.nameOf(type)}`;
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

/** The function that appends a valid header of this type to the packet. */
export function emitFunction(module: Module, type: Type): string {
  const name = `emit$${module.classes.nameOf(type)}`;
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

/** Whole bytes put together from the fields that share them; not for BigInts that do not start at a byte. */
function byteLines(list: readonly Leaf[]): string[] | undefined {
  const bytes = new Map<number, string[]>();
  const lines: string[] = [];
  let offset = 0;
  for (const leaf of list) {
    const width = widthOf(leaf.type);
    const value = unsignedBits(leaf.path, leaf.type);
    if (held(leaf.type) === 'bigint') {
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

/** Appends one value: a call on any bit writer. */
function putCode(code: string, type: Type): string {
  switch (held(type)) {
    case 'varbit':
      return `putBig(${code}.value, ${code}.bits)`;
    case 'bigint':
      return `putBig(${unsignedBits(code, type)}, ${widthOf(type)})`;
    default:
      return `put(${unsignedBits(code, type)}, ${widthOf(type)})`;
  }
}

/** Lines that put data into `$bits`, the writer for hashes, checksums and digests. */
export function packData(b: Body, data: Expr): void {
  const parts = data.op === 'aggregate' ? data.parts : [data];
  const codes = b.expressions(parts);
  const list = parts.flatMap((part, at) => {
    const code = codes[at] ?? '';
    if (part.type.kind === 'integer')
      b.module.diagnostics.error(part.span, 'a number among this data needs a width, such as 8w1');
    // A value is looked at once for each of its bytes, so it must have a name.
    return leaves(part.type, /^[\w$.]+$/.test(code) ? code : b.spill(code));
  });
  b.line('$bits.clear();');
  const size = list.reduce((sum, leaf) => sum + widthOf(leaf.type), 0);
  const fixed = size > 0 && size % 8 === 0 && list.every((leaf) => held(leaf.type) !== 'varbit');
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
