/*
 * An extern is declared in compiler/include, and has one entry in registry.ts: what the checker asks of it beyond its
 * declaration, what the generator writes for its call, and the switch's object. Generated code calls the switch by
 * name; `rt` and the `call` of an object's methods take only names that the switch's classes have.
 */
import type { Context } from '../compiler/check/context.ts';
import type { Body } from '../compiler/generate/body.ts';
import { place } from '../compiler/generate/places.ts';
import { asBig, asNumber } from '../compiler/generate/representation.ts';
import type { Argument, Expr, ExternObject } from '../compiler/ir.ts';
import type { Span } from '../compiler/source.ts';
import type { Runtime } from '../switch/runtime.ts';

export type ExternCall = Expr & { op: 'extern' };
export type MethodCall = Expr & { op: 'method' };

/** A function: the checker answers the call itself, or the generator writes it. */
export type ExternFunction =
  | { readonly answer: (c: Context, args: readonly Argument[], span: Span) => Expr }
  | {
      /** Reports where the call has no place. */
      readonly check?: (c: Context, span: Span) => void;
      /** Writes the call as lines, and returns the code of its value: empty for `void`. */
      readonly write: (b: Body, e: ExternCall) => string;
    };

type MethodName<Instance> = {
  [Name in keyof Instance]: Instance[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Instance] &
  string;

/** The code of a call of one of the object's methods. */
type CallObject<Instance> = (method: MethodName<Instance>, ...args: string[]) => string;

/** A class of objects. */
interface ExternClass<Instance extends object> {
  /** The switch's object, made when the program is loaded. */
  readonly make: (object: ExternObject) => Instance;
  /** Writes what happens to the object before the first packet. */
  readonly begin?: (b: Body, object: ExternObject, call: CallObject<Instance>) => void;
  /** By their names in P4; each writes lines, and returns the code of its value: empty for `void`. */
  readonly methods: Readonly<Record<string, (b: Body, e: MethodCall, call: CallObject<Instance>) => string>>;
}

export interface AnyExternClass {
  readonly make: (object: ExternObject) => object;
  readonly begin?: (
    b: Body,
    object: ExternObject,
    call: (method: string, ...args: string[]) => string,
  ) => void;
  readonly methods: Readonly<
    Record<string, (b: Body, e: MethodCall, call: (method: string, ...args: string[]) => string) => string>
  >;
}

/** An entry whose calls are checked against the class that it makes. */
export const externClass = <Instance extends object>(entry: ExternClass<Instance>): AnyExternClass => entry;

/** The code of a call of one of the switch's methods. */
export const rt = (method: MethodName<Runtime>, ...args: string[]): string =>
  `$rt.${method}(${args.join(', ')})`;

/** Writes the code as a line: a call without a value. */
export function run(b: Body, code: string): string {
  b.line(`${code};`);
  return '';
}

export function argument(e: ExternCall | MethodCall, at: number): Expr {
  const value = e.args[at]?.value;
  if (!value) throw new Error(`argument ${at} of ${e.name} is missing`);
  return value;
}

/** An argument as a JavaScript number, or as a BigInt. */
export const number = (b: Body, e: Expr): string => asNumber(b.expression(e), e.type);
export const big = (b: Body, e: Expr): string => asBig(b.expression(e), e.type);

/** Writes the one `out` argument of an extern, if it is wanted; evaluates the code anyhow. */
export function store(b: Body, e: ExternCall | MethodCall, at: number, code: string): string {
  const target = e.args[at]?.value;
  if (target) b.line(place(b, target).write(code));
  else b.line(`${code};`);
  return '';
}

/** A constructor's argument that is a number; 0 where there is none. */
export function constant({ args }: ExternObject, at: number): number {
  const value = args[at];
  return value?.op === 'int' ? Number(value.value) : 0;
}
