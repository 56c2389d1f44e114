/*
 * Generates calls (P4_16 §6.8). P4 has no recursion, so one module-level variable is enough for each parameter that is
 * copied in and out. The caller sets the variable, calls the routine, and copies the variable back, whether the callee
 * returns or exits.
 */
import { isObject } from '../check/types.ts';
import type { Expr, Parameter, Routine } from '../ir.ts';
import type { Body } from './body.ts';
import { unitName, variableName } from './body.ts';
import { copyCode, isFixed } from './copies.ts';
import { hasEffects, isInsideUnion, mayOverlap, place } from './places.ts';
import type { Place } from './places.ts';

/** The value for a parameter: an expression, or JavaScript code of the parameter's type. Both are absent for `_`. */
interface Actual {
  readonly value?: Expr | undefined;
  readonly code?: string;
  readonly place?: number;
}

interface PreparedArgument {
  /** The argument in the JavaScript call; undefined for a shared parameter. */
  code: string | undefined;
  /** Whether nothing can change the value of `code` before the call. */
  fixed: boolean;
  before: string[];
  after: string[];
}

/** Generates a call; returns the code of its result. */
export function callRoutine(b: Body, name: string, routine: Routine, actuals: readonly Actual[]): string {
  const passed = prepareArguments(b, routine.parameters, actuals, routine.kind === 'function');
  const args = passed.flatMap(({ code }) => (code === undefined ? [] : [code]));
  const call = `${name}(${args.join(', ')})`;
  const after = passed.flatMap((each) => each.after);
  for (const line of passed.flatMap((each) => each.before)) b.line(line);
  const value = routine.returns.kind !== 'void';
  if (!after.length && !routine.exits && value) return call;
  return finish(b, call, value, after, routine.exits);
}

export function invokeUnit(b: Body, e: Expr & { op: 'invoke' }): string {
  const { unit } = e;
  const passed = prepareArguments(b, unit.parameters, e.args, true);
  for (const line of passed.flatMap((each) => each.before)) b.line(line);
  const exits = unit.kind === 'control' && unit.exits;
  return finish(
    b,
    `${unitName(unit)}()`,
    false,
    passed.flatMap((each) => each.after),
    exits,
  );
}

function finish(b: Body, call: string, value: boolean, after: string[], exits: boolean): string {
  const result = value ? b.module.unique('t') : '';
  if (!exits || !after.length) {
    b.line(value ? `const ${result} = ${call};` : `${call};`);
    for (const line of after) b.line(line);
    return result;
  }
  if (value) b.line(`let ${result};`);
  b.line('try {');
  b.line(`  ${value ? `${result} = ` : ''}${call};`);
  b.line('} finally {');
  for (const line of after) b.line(`  ${line}`);
  b.line('}');
  return result;
}

/**
 * Prepares all arguments of a call. `isolated` means that the callee accesses the caller's data only through its
 * parameters, so objects can be passed by reference.
 */
function prepareArguments(
  b: Body,
  parameters: readonly Parameter[],
  actuals: readonly Actual[],
  isolated: boolean,
): PreparedArgument[] {
  const passed = new Map<Parameter, PreparedArgument>();
  const inCallOrder = parameters
    .map((parameter, at) => ({ parameter, at, actual: actuals[at] ?? {} }))
    .sort((one, other) => (one.actual.place ?? one.at) - (other.actual.place ?? other.at));
  for (const [turn, { parameter, at, actual }] of inCallOrder.entries()) {
    const start = b.lines.length;
    const called = inCallOrder.slice(turn + 1).some(({ actual: { value } }) => value && hasEffects(value));
    const byReference = isolated && !called && canPassByReference(actuals, parameters, at);
    const made = prepareArgument(b, parameter, actual, byReference, called);
    if (b.lines.length > start) {
      const effects = b.lines.splice(start);
      for (const earlier of passed.values()) saveValue(b, earlier);
      b.lines.push(...effects);
    }
    passed.set(parameter, made);
  }
  return parameters.flatMap((parameter) => passed.get(parameter) ?? []);
}

/**
 * Saves the value of an argument before evaluating later arguments, whose effects could change it. P4 evaluates
 * arguments from left to right (P4_16 §6.8).
 */
function saveValue(b: Body, passed: PreparedArgument): void {
  const { code, fixed } = passed;
  if (code === undefined || fixed) return;
  passed.code = b.spill(code);
  passed.fixed = true;
}

function canPassByReference(
  actuals: readonly Actual[],
  parameters: readonly Parameter[],
  at: number,
): boolean {
  const value = actuals[at]?.value;
  if (!value || isInsideUnion(value)) return false;
  const writes = (index: number): boolean => ['out', 'inout'].includes(parameters[index]?.direction ?? '');
  return actuals.every(
    (other, index) =>
      index === at || !other.value || !(writes(at) || writes(index)) || !mayOverlap(value, other.value),
  );
}

/**
 * Prepares one argument. `called` means that a later argument contains a call, so this argument's value must be read
 * now.
 */
function prepareArgument(
  b: Body,
  { direction, variable }: Parameter,
  actual: Actual,
  byReference: boolean,
  called: boolean,
): PreparedArgument {
  const name = variableName(variable);
  const { value, code } = actual;
  const object = isObject(variable.type);
  const zero = b.module.classes.zero(variable.type);
  if (direction === 'in' || direction === 'none') {
    const text =
      code ?? (value ? (byReference ? b.expression(value) : copyCode(value, b.expression(value))) : zero);
    if (!variable.shared) return { code: text, fixed: !value || isFixed(value), before: [], after: [] };
    return { ...SHARED, before: [`${name} = ${b.spill(text)};`], after: [] };
  }
  if (!value) return { ...SHARED, before: [`${name} = ${zero};`], after: [] };
  const target: Place = place(b, value);
  if (object && byReference) {
    const reset = direction === 'out' ? [`${name}.$reset();`] : [];
    return { ...SHARED, before: [`${name} = ${target.read};`, ...reset], after: [] };
  }
  const given = direction === 'out' ? zero : object ? `${target.read}.$copy()` : target.read;
  const before = called && direction === 'inout' ? b.spill(given) : given;
  return { ...SHARED, before: [`${name} = ${before};`], after: [target.write(name)] };
}

/** An argument that is passed in a module-level variable, not in the JavaScript call. */
const SHARED = { code: undefined, fixed: true };
