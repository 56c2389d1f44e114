import { BOOL } from '../check/types.ts';
import { ACCEPT } from '../ir.ts';
import type { Expr, Keyset, ParserUnit, Routine, State, Table, Unit, Variable } from '../ir.ts';
import { Body, routineName, tableName, unitName, variableName } from './body.ts';
import type { Module } from './body.ts';
import { callRoutine } from './calls.ts';
import { equality } from './classes.ts';
import { unsignedBits } from './representation.ts';
import { statements } from './statements.ts';

/** The maximum number of states in one run of a parser. More are treated as an endless loop (core.p4, ParserTimeout). */
const MAX_STATES = 10_000;

function declareShared(module: Module, variable: Variable): void {
  // The variable must always hold an object. A call by reference or a declaration replaces this first object.
  module.head.push(`let ${variableName(variable)} = ${module.classes.zero(variable.type)};`);
}

function define(module: Module, head: string, write: (b: Body) => void): void {
  const b = new Body(module);
  b.block(`function ${head}`, write);
  module.functions.push(...b.lines);
}

export function writeRoutine(module: Module, routine: Routine): void {
  const own = routine.parameters.filter(({ variable }) => !variable.shared);
  for (const { variable } of routine.parameters) if (variable.shared) declareShared(module, variable);
  const names = own.map(({ variable }) => variableName(variable));
  define(module, `${routineName(routine)}(${names.join(', ')})`, (b) => statements(b, routine.body));
}

export function writeUnit(module: Module, unit: Unit): void {
  for (const { variable } of unit.parameters) declareShared(module, variable);
  for (const local of unit.locals)
    if (local.op === 'declare' && local.variable.shared) declareShared(module, local.variable);
  define(module, `${unitName(unit)}()`, (b) => {
    statements(b, unit.locals);
    if (unit.kind === 'parser') writeParser(b, unit);
    else statements(b, unit.body);
  });
}

/** Generates a parser: a loop over its states (P4_16 §13.4). */
function writeParser(b: Body, unit: ParserUnit): void {
  const start = unit.states.findIndex(({ name }) => name === 'start');
  b.line(`let state = ${start};`);
  b.block(`for (let steps = 0; steps < ${MAX_STATES}; steps++)`, (loop) => {
    loop.block('switch (state)', (cases) => {
      for (const [at, state] of unit.states.entries())
        cases.block(`case ${at}: /* ${state.name} */`, (inner) => writeState(inner, state));
    });
  });
  b.line('throw $rt.reject($rt.errors.ParserTimeout);');
}

function writeState(b: Body, { body, transition }: State): void {
  statements(b, body);
  const { keys, cases } = transition;
  const codes = b.expressions(keys).map((code, at) => {
    const key = keys[at];
    return key?.op === 'int' || key?.op === 'bool' ? code : b.spill(code);
  });
  for (const { sets, to } of cases) {
    const condition = sets.flatMap((set, at) => keysetCode(b, set, keys, codes, at)).join(' && ');
    if (condition) b.line(`if (${condition}) { ${transitionCode(to)} }`);
    else {
      b.line(transitionCode(to));
      return;
    }
  }
  b.line('throw $rt.reject($rt.errors.NoMatch);');
}

function transitionCode(to: number): string {
  if (to >= 0) return `state = ${to}; continue;`;
  return to === ACCEPT ? 'return;' : 'throw $rt.reject(0);';
}

/** Returns the conditions under which a key is in a set; empty for a set that contains all keys. */
function keysetCode(
  b: Body,
  set: Keyset,
  keys: readonly Expr[],
  codes: readonly string[],
  at: number,
): string[] {
  const key = keys[at];
  const code = codes[at] ?? '';
  if (!key) return [];
  switch (set.kind) {
    case 'any':
      return [];
    case 'value':
      return [equality(key.type, code, b.expression(set.value))];
    case 'range':
      return [`${code} >= ${b.expression(set.low)} && ${code} <= ${b.expression(set.high)}`];
    case 'mask': {
      const [value, mask] = [b.expression(set.value), b.expression(set.mask)];
      return [`(${code} & ${mask}) === (${value} & ${mask})`];
    }
    case 'set': {
      const all = set.set.types.length === 1 ? [code] : codes;
      const types = set.set.types.length === 1 ? [key] : keys;
      const bits = all.map((each, i) => unsignedBits(each, types[i]?.type ?? key.type));
      return [`$rt.valueSet(${set.set.id}).has([${bits.join(', ')}])`];
    }
  }
}

/** Generates a table's `apply`: look up the keys, store the result, run the action (P4_16 §14.2.3). */
export function writeTable(module: Module, table: Table): void {
  const name = tableName(table);
  module.head.push(
    `const ${name}$table = $rt.table(${table.id});`,
    `let ${name}$hit = false;`,
    `let ${name}$action = -1;`,
  );
  define(module, `${name}()`, (b) => {
    // Selector keys choose among members of an action selector, which this switch's control plane does not support.
    const matched = table.keys.filter(({ match }) => match !== 'selector').map(({ expr }) => expr);
    const keys = b.expressions(matched).map((code, at) => unsignedBits(code, matched[at]?.type ?? BOOL));
    b.line(`const entry = ${name}$table.lookup(${keys.join(', ')});`);
    b.line(`${name}$hit = entry.hit;`);
    b.line(`${name}$action = entry.action;`);
    if (table.objects.length) b.line('entry.used($rt.packetLength);');
    b.block('switch (entry.action)', (cases) => {
      for (const [at, { routine, bound }] of table.actions.entries())
        cases.block(`case ${at}:`, (inner) => {
          let data = 0;
          let directed = 0;
          const actuals = routine.parameters.map(({ direction }) =>
            direction === 'none' ? { code: `entry.data[${data++}]` } : { value: bound[directed++]?.value },
          );
          callRoutine(inner, routineName(routine), routine, actuals);
          inner.line('break;');
        });
    });
  });
}
