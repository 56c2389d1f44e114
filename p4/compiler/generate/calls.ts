/*
 * Calls: P4_16 §6.8. P4 has no recursion, so what a call copies in and out lives in one variable of the module per
 * parameter: the caller fills it, calls, and copies it back, whether the callee returned or went on to `exit`.
 */
import { isObject } from '../check/types.ts';
import type { Expr, Parameter, Routine } from '../ir.ts';
import type { Body } from './body.ts';
import { unitName, variableName } from './body.ts';
import { copied, isFixed } from './copies.ts';
import { calls, insideUnion, overlap, place } from './places.ts';
import type { Place } from './places.ts';

/** What a parameter gets: an expression, or JavaScript that is already a value of its type; neither for `_`. */
interface Actual {
  readonly value?: Expr | undefined;
  readonly code?: string;
  readonly place?: number;
}

interface Passed {
  /** What stands in the JavaScript call, for parameters that are not shared. */
  code: string | undefined;
  /** Can nothing change what the code gives? */
  fixed: boolean;
  before: string[];
  after: string[];
}

/** Writes a call and returns its result. */
export function callRoutine(b: Body, name: string, routine: Routine, actuals: readonly Actual[]): string {
  const passed = passAll(b, routine.parameters, actuals, routine.kind === 'function');
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
  const passed = passAll(b, unit.parameters, e.args, true);
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

/** `isolated`: the callee sees nothing of the caller's but its parameters, so that an object may be lent. */
function passAll(
  b: Body,
  parameters: readonly Parameter[],
  actuals: readonly Actual[],
  isolated: boolean,
): Passed[] {
  const passed = new Map<Parameter, Passed>();
  const inTurn = parameters
    .map((parameter, at) => ({ parameter, at, actual: actuals[at] ?? {} }))
    .sort((one, other) => (one.actual.place ?? one.at) - (other.actual.place ?? other.at));
  for (const [turn, { parameter, at, actual }] of inTurn.entries()) {
    const start = b.lines.length;
    const called = inTurn.slice(turn + 1).some(({ actual: { value } }) => value && calls(value));
    const lend = isolated && !called && lendable(actuals, parameters, at);
    const made = pass(b, parameter, actual, lend, called);
    if (b.lines.length > start) {
      const effects = b.lines.splice(start);
      for (const earlier of passed.values()) putAside(b, earlier);
      b.lines.push(...effects);
    }
    passed.set(parameter, made);
  }
  return parameters.flatMap((parameter) => passed.get(parameter) ?? []);
}

/** Arguments are evaluated from left to right (P4_16 §6.8): what a later one's effects could change is read before. */
function putAside(b: Body, passed: Passed): void {
  const { code, fixed } = passed;
  if (code === undefined || fixed) return;
  passed.code = b.spill(code);
  passed.fixed = true;
}

function lendable(actuals: readonly Actual[], parameters: readonly Parameter[], at: number): boolean {
  const value = actuals[at]?.value;
  if (!value || insideUnion(value)) return false;
  const writes = (index: number): boolean => ['out', 'inout'].includes(parameters[index]?.direction ?? '');
  return actuals.every(
    (other, index) =>
      index === at || !other.value || !(writes(at) || writes(index)) || !overlap(value, other.value),
  );
}

/** `called`: a later argument calls something, so that the value is taken now. */
function pass(
  b: Body,
  { direction, variable }: Parameter,
  actual: Actual,
  lend: boolean,
  called: boolean,
): Passed {
  const name = variableName(variable);
  const { value, code } = actual;
  const object = isObject(variable.type);
  const zero = b.module.classes.zero(variable.type);
  if (direction === 'in' || direction === 'none') {
    const text = code ?? (value ? (lend ? b.expression(value) : copied(value, b.expression(value))) : zero);
    if (!variable.shared) return { code: text, fixed: !value || isFixed(value), before: [], after: [] };
    return { ...SHARED, before: [`${name} = ${b.spill(text)};`], after: [] };
  }
  if (!value) return { ...SHARED, before: [`${name} = ${zero};`], after: [] };
  const target: Place = place(b, value);
  if (object && lend) {
    const reset = direction === 'out' ? [`${name}.$reset();`] : [];
    return { ...SHARED, before: [`${name} = ${target.read};`, ...reset], after: [] };
  }
  const given = direction === 'out' ? zero : object ? `${target.read}.$copy()` : target.read;
  const before = called && direction === 'inout' ? b.spill(given) : given;
  return { ...SHARED, before: [`${name} = ${before};`], after: [target.write(name)] };
}

/** What goes into a variable of the module stands nowhere in the call. */
const SHARED = { code: undefined, fixed: true };
