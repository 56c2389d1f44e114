/*
 * The functions and objects of core.p4 and v1model.p4 that the switch has. Each writes a call on `$rt`, the switch's
 * side of the generated program; what is not in these tables is refused by its name.
 */
import { isBits, typeKey, underlying } from '../check/types.ts';
import type { Expr } from '../ir.ts';
import { packData } from './bits.ts';
import type { Body } from './body.ts';
import { copied, expression, expressions } from './expressions.ts';
import { calls, place } from './places.ts';
import { castCode } from './operators.ts';
import { asBig, asNumber, held } from './representation.ts';
import { fromBig } from './statements.ts';

type Extern = Expr & { op: 'extern' };
type Method = Expr & { op: 'method' };

const USER_EXTERN = 'P4_16 §7.2.9: an extern is what the architecture provides';

function argument(e: Extern | Method, at: number): Expr {
  const value = e.args[at]?.value;
  if (!value) throw new Error(`argument ${at} of ${e.name} is missing`);
  return value;
}

/** An argument as a JavaScript number, or as a BigInt. */
const number = (b: Body, e: Expr): string => asNumber(expression(b, e), e.type);
const big = (b: Body, e: Expr): string => asBig(expression(b, e), e.type);

/** Writes the one `out` argument of an extern, if it is wanted. */
function store(b: Body, e: Extern | Method, at: number, code: string): void {
  const target = e.args[at]?.value;
  if (target) b.line(place(b, target).write(code));
  else b.line(`${code};`);
}

/** HashAlgorithm, in the order of v1model.p4; `undefined` for what needs a setting this switch does not have. */
const ALGORITHMS = ['crc32', undefined, 'crc16', undefined, undefined, 'identity', 'csum16', 'xor16'];
const ALGORITHM_NAMES = [
  'crc32',
  'crc32_custom',
  'crc16',
  'crc16_custom',
  'random',
  'identity',
  'csum16',
  'xor16',
];

function algorithm(b: Body, e: Expr): string {
  if (e.op !== 'int')
    return b.module.diagnostics.fail(e.span, 'the hash algorithm must be known at compile time');
  const name = ALGORITHMS[Number(e.value)];
  if (!name) {
    const asked = ALGORITHM_NAMES[Number(e.value)] ?? '';
    return b.module.diagnostics.refuse(e.span, `HashAlgorithm.${asked}`, 'v1model, HashAlgorithm');
  }
  return JSON.stringify(name);
}

function checksum(b: Body, e: Extern, update: boolean, payload: boolean): string {
  const [condition, data, sum] = [argument(e, 0), argument(e, 1), argument(e, 2)];
  const name = algorithm(b, argument(e, 3));
  b.block(`if (${expression(b, condition)})`, (inner) => {
    packData(inner, data);
    if (payload) inner.line('$bits.putBytes($rt.payload());');
    const value = fromBig(`$rt.hash(${name}, $bits)`, sum.type);
    if (update) inner.line(place(inner, sum).write(value));
    else inner.line(`if (${value} !== ${expression(inner, sum)}) $rt.checksumError();`);
  });
  return '';
}

/** The fields that a list names are what a clone, a resubmit or a recirculation of the old kind keeps. */
function oldFieldList(b: Body, e: Extern, at: number, instead: string): never {
  return b.module.diagnostics.refuse(
    argument(e, at).span,
    `${e.name} with a list of fields; use ${instead}`,
    'v1model, field lists',
  );
}

const FUNCTIONS: Record<string, ((b: Body, e: Extern) => string) | undefined> = {
  verify(b, e) {
    const [condition = '', code = ''] = expressions(b, [argument(e, 0), argument(e, 1)]);
    b.line(`if (!(${condition})) throw $rt.reject(${code});`);
    return '';
  },
  mark_to_drop(b, e) {
    const target = e.args[0]?.value;
    if (target) {
      const name = expression(b, target);
      b.line(`${name}.egress_spec = 511; ${name}.mcast_grp = 0;`);
    } else b.line('$rt.drop();');
    return '';
  },
  hash(b, e) {
    const name = algorithm(b, argument(e, 1));
    const [base, most] = [big(b, argument(e, 2)), big(b, argument(e, 4))].map((code) => b.spill(code));
    packData(b, argument(e, 3));
    const result = e.args[0]?.value;
    const value = `$rt.hashWithin($rt.hash(${name}, $bits), ${base ?? '0n'}, ${most ?? '0n'})`;
    store(b, e, 0, result ? fromBig(value, result.type) : value);
    return '';
  },
  random(b, e) {
    const [low, high] = [big(b, argument(e, 1)), big(b, argument(e, 2))];
    const result = e.args[0]?.value;
    const value = `$rt.random(${low}, ${high})`;
    store(b, e, 0, result ? fromBig(value, result.type) : value);
    return '';
  },
  digest(b, e) {
    const receiver = number(b, argument(e, 0));
    packData(b, argument(e, 1));
    b.line(`$rt.digest(${receiver}, $bits);`);
    return '';
  },
  verify_checksum: (b, e) => checksum(b, e, false, false),
  update_checksum: (b, e) => checksum(b, e, true, false),
  verify_checksum_with_payload: (b, e) => checksum(b, e, false, true),
  update_checksum_with_payload: (b, e) => checksum(b, e, true, true),
  clone(b, e) {
    b.line(`$rt.clone(${number(b, argument(e, 0))}, ${number(b, argument(e, 1))}, -1);`);
    return '';
  },
  clone_preserving_field_list(b, e) {
    const [kind, session, list] = [0, 1, 2].map((at) => number(b, argument(e, at)));
    b.line(`$rt.clone(${kind ?? ''}, ${session ?? ''}, ${list ?? ''});`);
    return '';
  },
  clone3: (b, e) => oldFieldList(b, e, 2, 'clone_preserving_field_list'),
  resubmit(b, e) {
    if (!isEmptyList(argument(e, 0))) oldFieldList(b, e, 0, 'resubmit_preserving_field_list');
    b.line('$rt.resubmit(-1);');
    return '';
  },
  recirculate(b, e) {
    if (!isEmptyList(argument(e, 0))) oldFieldList(b, e, 0, 'recirculate_preserving_field_list');
    b.line('$rt.recirculate(-1);');
    return '';
  },
  resubmit_preserving_field_list(b, e) {
    b.line(`$rt.resubmit(${number(b, argument(e, 0))});`);
    return '';
  },
  recirculate_preserving_field_list(b, e) {
    b.line(`$rt.recirculate(${number(b, argument(e, 0))});`);
    return '';
  },
  truncate(b, e) {
    b.line(`$rt.truncate(${number(b, argument(e, 0))});`);
    return '';
  },
  assert: (b, e) => claim(b, e),
  assume: (b, e) => claim(b, e),
  log_msg(b, e) {
    const data = e.args[1]?.value;
    const values = data ? (data.op === 'aggregate' ? expressions(b, data.parts) : [expression(b, data)]) : [];
    b.line(`$rt.log(${expression(b, argument(e, 0))}, [${values.join(', ')}]);`);
    return '';
  },
};

function claim(b: Body, e: Extern): string {
  const { file, start } = e.span;
  const { line } = file.position(start);
  b.line(
    `if (!(${expression(b, argument(e, 0))})) $rt.failed(${JSON.stringify(`${e.name} at ${file.path}:${line}`)});`,
  );
  return '';
}

const isEmptyList = (e: Expr): boolean => e.op === 'aggregate' && e.parts.length === 0;

/** An extern's arguments are evaluated in the order of its parameters; where that could be seen, they must be so written. */
function requireOrder(b: Body, e: Extern | Method): void {
  const ordered = e.args.every(({ place = 0 }, at) => place === at);
  if (!ordered && e.args.some(({ value }) => value && calls(value)))
    b.module.diagnostics.refuse(e.span, `calls in named arguments of '${e.name}' out of order`, 'P4_16 §6.8');
}

export function externCall(b: Body, e: Extern): string {
  const write = Object.hasOwn(FUNCTIONS, e.name) ? FUNCTIONS[e.name] : undefined;
  if (!write) return b.module.diagnostics.refuse(e.span, `the extern function '${e.name}'`, USER_EXTERN);
  requireOrder(b, e);
  return write(b, e);
}

const METHODS: Record<string, ((b: Body, e: Method, object: string) => string) | undefined> = {
  'register.read'(b, e, object) {
    store(b, e, 0, `${object}.read(${number(b, argument(e, 1))})`);
    return '';
  },
  'register.write'(b, e, object) {
    const [index = '', value = ''] = expressions(b, [argument(e, 0), argument(e, 1)]);
    b.line(`${object}.write(${asNumber(index, argument(e, 0).type)}, ${copied(argument(e, 1), value)});`);
    return '';
  },
  'counter.count'(b, e, object) {
    b.line(`${object}.count(${number(b, argument(e, 0))}, $rt.packetLength);`);
    return '';
  },
  // The table counts by itself whenever an entry is hit, as BMv2 does; the call says only that it may.
  'direct_counter.count': () => '',
  'meter.execute_meter'(b, e, object) {
    const index = number(b, argument(e, 0));
    color(b, e, 1, `${object}.execute(${index}, $rt.packetLength, $rt.now)`);
    return '';
  },
  'direct_meter.read'(b, e, object) {
    color(b, e, 0, `${object}.read($rt.packetLength, $rt.now)`);
    return '';
  },
  'Checksum16.get'(b, e) {
    packData(b, argument(e, 0));
    return b.spill(fromBig('$rt.hash("csum16", $bits)', e.type));
  },
};

function color(b: Body, e: Method, at: number, code: string): void {
  const target = e.args[at]?.value;
  if (target && !isBits(underlying(target.type)))
    b.module.diagnostics.error(target.span, `a meter's color is a bit<>, not ${typeKey(target.type)}`);
  store(
    b,
    e,
    at,
    target && held(target.type) === 'bigint'
      ? `BigInt(${code})`
      : target
        ? castCode(code, { kind: 'bit', width: 2 }, target.type)
        : code,
  );
}

/** The objects that the switch has; the others are refused when a program makes one. */
const CLASSES = new Set([
  'register',
  'counter',
  'direct_counter',
  'meter',
  'direct_meter',
  'action_profile',
  'action_selector',
  'Checksum16',
]);
export const isKnownClass = (name: string): boolean => CLASSES.has(name);

export function methodCall(b: Body, e: Method): string {
  const key = `${e.object.className}.${e.name}`;
  const write = Object.hasOwn(METHODS, key) ? METHODS[key] : undefined;
  if (!write) return b.module.diagnostics.refuse(e.span, `the extern method '${key}'`, USER_EXTERN);
  requireOrder(b, e);
  return write(b, e, `object$${e.object.id}`);
}

/** Lines that bind a program's objects to the switch's. */
export function objectLines(b: Body): void {
  for (const object of b.module.program.objects) {
    if (!isKnownClass(object.className)) {
      b.module.diagnostics.unsupported(undefined, `the extern object '${object.className}'`, USER_EXTERN);
      continue;
    }
    b.line(`const object$${object.id} = $rt.object(${object.id});`);
    if (object.className !== 'register') continue;
    const [type] = object.typeArgs;
    const initial = object.args[1];
    if (type)
      b.line(
        `object$${object.id}.fill(() => ${initial ? expression(b, initial) : b.module.classes.zero(type)});`,
      );
  }
}
