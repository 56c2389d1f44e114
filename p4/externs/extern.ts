/*
 * Types and helpers for defining externs. An extern is declared in compiler/include and has one entry in registry.ts:
 * its checks beyond the declaration, the code generation for its calls and, for objects, their class in the switch.
 * Generated code calls the switch by method name; the types of `rt` and of an object's `call` allow only methods that
 * exist.
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

/** An extern function: `answer` evaluates the call at compile time, `write` generates its code. */
export type ExternFunction =
  | { readonly answer: (c: Context, args: readonly Argument[], span: Span) => Expr }
  | {
      /** Reports an error if the call is not allowed here. */
      readonly check?: (c: Context, span: Span) => void;
      /** Writes the lines of the call. Returns the code of the call's value, which is empty for `void`. */
      readonly write: (b: Body, e: ExternCall) => string;
    };

type MethodName<Instance> = {
  [Name in keyof Instance]: Instance[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Instance] &
  string;

/** Returns the code that calls a method of the object. */
type CallObject<Instance> = (method: MethodName<Instance>, ...args: string[]) => string;

/** A class of extern objects. */
interface ExternClass<Instance extends object> {
  /** Makes the switch's object when the program is loaded. */
  readonly make: (object: ExternObject) => Instance;
  /** Writes code that initializes the object before the first packet. */
  readonly begin?: (b: Body, object: ExternObject, call: CallObject<Instance>) => void;
  /**
   * The methods by their P4 names. Each method writes the lines of a call and returns the code of the call's value,
   * which is empty for `void`.
   */
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

/**
 * Defines a class of extern objects. TypeScript checks that each `call` names a method of the objects that `make`
 * returns.
 */
export const externClass = <Instance extends object>(entry: ExternClass<Instance>): AnyExternClass => entry;

/** Returns the code that calls a method of the switch. */
export const rt = (method: MethodName<Runtime>, ...args: string[]): string =>
  `$rt.${method}(${args.join(', ')})`;

/** Writes a line with a call that returns no value. Returns the code of this value, which is empty. */
export function run(b: Body, code: string): string {
  b.line(`${code};`);
  return '';
}

export function argument(e: ExternCall | MethodCall, at: number): Expr {
  const value = e.args[at]?.value;
  if (!value) throw new Error(`argument ${at} of ${e.name} is missing`);
  return value;
}

/** The code of an argument as a JavaScript number, or as a BigInt. */
export const number = (b: Body, e: Expr): string => asNumber(b.expression(e), e.type);
export const big = (b: Body, e: Expr): string => asBig(b.expression(e), e.type);

/** Assigns code to an `out` argument. If the argument is `_`, only evaluates the code. */
export function store(b: Body, e: ExternCall | MethodCall, at: number, code: string): string {
  const target = e.args[at]?.value;
  if (target) b.line(place(b, target).write(code));
  else b.line(`${code};`);
  return '';
}

/** A numeric constructor argument; 0 if it is missing or not a number. */
export function constant({ args }: ExternObject, at: number): number {
  const value = args[at];
  return value?.op === 'int' ? Number(value.value) : 0;
}
