/*
 * The control plane of a switch. It addresses tables, registers, counters and meters by their names in the P4 program.
 */
import type { KeyMatch, MatchKind, Program, Table as TableSpec, TableCall } from '../compiler/ir.ts';
import { bitSize } from '../compiler/check/types.ts';
import { Counter, DirectCounter, Meter, Register } from './objects.ts';
import type { Count } from './objects.ts';
import type { Runtime } from './runtime.ts';
import type { Table } from './tables.ts';

/** A key of an entry, in the control plane's notation: `0x0a**`, `10.0.0.0/8`, `5..9`, `1&&&0xf`. */
export interface KeyText {
  readonly name: string;
  readonly value: string;
}

export class ControlPlane {
  private readonly program: Program;
  private readonly runtime: Runtime;

  constructor(program: Program, runtime: Runtime) {
    this.program = program;
    this.runtime = runtime;
  }

  table(name: string): Table {
    const spec = findByName(this.program.tables, name, 'table');
    const table = this.runtime.tables.get(spec.id);
    if (!table) throw new Error(`the table '${name}' is not part of the switch`);
    return table;
  }

  add(
    name: string,
    keys: readonly KeyText[],
    action: string,
    args: readonly KeyText[],
    priority: number,
  ): void {
    const table = this.table(name);
    table.add(matchKeys(table.spec, keys), actionCall(table.spec, action, args), priority);
  }

  setDefault(name: string, action: string, args: readonly KeyText[]): void {
    const table = this.table(name);
    table.setDefault(actionCall(table.spec, action, args));
  }

  register(name: string): Register {
    const object = this.object(name);
    if (!(object instanceof Register)) throw new Error(`'${name}' is not a register`);
    return object;
  }

  writeRegister(name: string, index: number, value: bigint): void {
    const register = this.register(name);
    if (index >= register.size)
      throw new Error(`the register '${name}' has ${register.size} elements, no index ${index}`);
    register.set(index, value);
  }

  counts(name: string, index: number): Count {
    const object = this.object(name);
    if (object instanceof Counter) {
      const count = object.at(index);
      if (!count) throw new Error(`the counter '${name}' has no index ${index}`);
      return count;
    }
    if (!(object instanceof DirectCounter)) throw new Error(`'${name}' is not a counter`);
    return object.at(index);
  }

  meter(name: string): Meter {
    const object = this.object(name);
    if (!(object instanceof Meter)) throw new Error(`'${name}' is not a meter`);
    return object;
  }

  private object(name: string): unknown {
    return this.runtime.objects.get(findByName(this.program.objects, name, 'extern object').id);
  }
}

/**
 * Finds an item by its full name, by a suffix after a dot (as BMv2's command line does), or by any suffix (as BMv2's
 * test runner does).
 */
function findByName<T extends { readonly name: string }>(list: readonly T[], name: string, what: string): T {
  const exact = list.find((each) => each.name === name);
  if (exact) return exact;
  const parts = list.filter((each) => each.name.endsWith(`.${name}`));
  const [found, second] = parts.length ? parts : list.filter((each) => each.name.endsWith(name));
  if (second)
    throw new Error(`the ${what} '${name}' is ambiguous: '${found?.name ?? ''}' or '${second.name}'`);
  if (!found)
    throw new Error(
      `there is no ${what} '${name}'; there are: ${list.map((each) => each.name).join(', ') || 'none'}`,
    );
  return found;
}

function actionCall(spec: TableSpec, name: string, args: readonly KeyText[]): TableCall {
  const found = findByName(spec.actions, name, `action of ${spec.name}`);
  for (const { name: given } of args)
    if (!found.data.some(({ label }) => label === given))
      throw new Error(`the action '${name}' has no parameter '${given}'`);
  const values = found.data.map(({ variable, label }) => {
    const given = args.find((each) => each.name === label);
    if (!given) throw new Error(`the action '${name}' has no value for '${label}'`);
    return requireFits(parseNumber(given.value), bitSize(variable.type) ?? 32, label);
  });
  return { action: spec.actions.indexOf(found), args: values };
}

function matchKeys(spec: TableSpec, given: readonly KeyText[]): KeyMatch[] {
  const keys = spec.keys.filter(({ match }) => match !== 'selector');
  const texts = new Map<number, string>();
  for (const { name, value } of given) texts.set(findKey(keys, name, spec.name), value);
  return keys.map(({ match, width, name }, at) => {
    const text = texts.get(at);
    return text === undefined ? matchForMissingKey(match) : parseMatch(text, match, width, name);
  });
}

/**
 * The match of a key that an entry omits: 0 for an exact key, anything for the other kinds, as in BMv2's test runner.
 */
const matchForMissingKey = (match: MatchKind): KeyMatch =>
  match === 'exact' ? { kind: 'value', value: 0n } : { kind: 'any' };

function findKey(keys: TableSpec['keys'], given: string, table: string): number {
  const name = given.replace(/^(.*)\$([0-9]+)(.*)$/, '$1[$2]$3').replace(/\.\$?valid\$?$/, '.$valid$');
  const forms = [name, `${name}$`, `${name}.$valid$`];
  const onlyValid = /^\$?valid\$?$/.test(name);
  const rules: ((known: string) => boolean)[] = [
    (known) => forms.includes(known),
    (known) => forms.some((form) => known.endsWith(`.${form}`)),
    (known) => onlyValid && known.endsWith('$valid$'),
  ];
  // A key that has a name annotation can also be addressed by its field.
  for (const known of ['name', 'written'] as const)
    for (const rule of rules) {
      const at = keys.findIndex((key) => rule(key[known]));
      if (at >= 0) return at;
    }
  throw new Error(
    `the table ${table} has no key '${given}'; it has: ${keys.map((key) => key.name).join(', ')}`,
  );
}

function parseMatch(text: string, match: MatchKind, width: number, name: string): KeyMatch {
  const full = (1n << BigInt(width)) - 1n;
  const number = (part: string): bigint => requireFits(parseNumber(part), width, name);
  const masked = /^(.+)&&&(.+)$/.exec(text);
  if (masked?.[1] && masked[2])
    return { kind: 'mask', value: number(masked[1]), mask: parseNumber(masked[2]) & full };
  const range = /^(.+?)(?:\.\.|->)(.+)$/.exec(text);
  if (range?.[1] && range[2]) return { kind: 'range', low: number(range[1]), high: number(range[2]) };
  const prefix = /^(.+)\/([0-9]+)$/.exec(text);
  if (prefix?.[1]) {
    const length = Number(prefix[2]);
    if (length > width)
      throw new Error(`the prefix length ${length} of '${name}' is more than its ${width} bits`);
    return { kind: 'mask', value: number(prefix[1]), mask: full & ~((1n << BigInt(width - length)) - 1n) };
  }
  if (text.includes('*')) return parseWildcard(text, match, width, name);
  // A prefix without a length covers the bits of the written digits.
  if (match === 'lpm' && /^0[xbo]/i.test(text)) {
    const digits = (text.length - 2) * (DIGIT_BITS[text[1]?.toLowerCase() ?? ''] ?? 4);
    const length = Math.min(width, digits);
    return { kind: 'mask', value: number(text), mask: full & ~((1n << BigInt(width - length)) - 1n) };
  }
  if (match === 'ternary' && /^0[xbo]/i.test(text)) {
    const digits = (text.length - 2) * (DIGIT_BITS[text[1]?.toLowerCase() ?? ''] ?? 4);
    return { kind: 'mask', value: number(text), mask: full & ((1n << BigInt(digits)) - 1n) };
  }
  return { kind: 'value', value: number(text) };
}

const DIGIT_BITS: Record<string, number> = { x: 4, o: 3, b: 1 };

/** Parses a number such as `0x12**`, in which a star matches any digit. */
function parseWildcard(text: string, match: MatchKind, width: number, name: string): KeyMatch {
  const [, base = '', digits = ''] = /^0([xbo])([0-9a-f*]+)$/i.exec(text) ?? [];
  const bits = DIGIT_BITS[base.toLowerCase()];
  if (!bits) throw new Error(`'${text}' for '${name}' is not a number with wildcards`);
  const ones = ((1 << bits) - 1).toString(16);
  const value = parseNumber(`0${base}${digits.replaceAll('*', '0')}`);
  const stars = digits
    .split('')
    .reduce((mask, digit) => (mask << BigInt(bits)) | (digit === '*' ? 0n : BigInt(`0x${ones}`)), 0n);
  const full = (1n << BigInt(width)) - 1n;
  if (match !== 'lpm') return { kind: 'mask', value: requireFits(value, width, name), mask: stars & full };
  const length = (digits.length - digits.replaceAll(/[^*]/g, '').length) * bits;
  return {
    kind: 'mask',
    value: requireFits(value, width, name),
    mask: full & ~((1n << BigInt(Math.max(0, width - length))) - 1n),
  };
}

function parseNumber(text: string): bigint {
  if (/^[0-9]+(\.[0-9]+){3}$/.test(text))
    return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
  if (/^[0-9a-f]{1,2}(:[0-9a-f]{1,2}){5}$/i.test(text))
    return text.split(':').reduce((value, part) => (value << 8n) | BigInt(`0x${part}`), 0n);
  if (text === 'true' || text === 'false') return text === 'true' ? 1n : 0n;
  if (!/^-?(0x[0-9a-f]+|0b[01]+|0o[0-7]+|[0-9]+)$/i.test(text)) throw new Error(`'${text}' is not a number`);
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
}

function requireFits(value: bigint, width: number, name: string): bigint {
  if (value >= 1n << BigInt(width) || value < -(1n << BigInt(Math.max(0, width - 1))))
    throw new Error(`${value} does not fit the ${width} bits of '${name}'`);
  return BigInt.asUintN(width, value);
}
