import type { Expression, TableDeclaration, TableEntry as EntryNode } from '../ast.ts';
import type {
  Argument,
  ExternObject,
  MatchKind,
  Table,
  TableAction,
  TableCall,
  TableEntry,
  Variable,
} from '../ir.ts';
import { parseAnnotationBody } from '../parser/expressions.ts';
import { argumentValue } from './calls.ts';
import type { Context } from './context.ts';
import { annotated, annotatedName, controlPlaneName, lookup, newId } from './context.ts';
import { check, checkAs, checkConstant } from './expressions.ts';
import { checkEntryKey, keyWidth } from './keysets.ts';
import { constructObject } from './objects.ts';
import { BOOL, typeKey } from './types.ts';

const SUPPORTED = new Set<string>(['exact', 'lpm', 'ternary', 'range', 'optional', 'selector']);
const DIRECT = ['counters', 'meters'];
const PROPERTIES = new Set([
  ...[
    'default_action',
    'size',
    'implementation',
    'largest_priority_wins',
    'priority_delta',
    'support_timeout',
  ],
  ...DIRECT,
]);

/** Checks a table (P4_16 §14.2), including the properties that v1model adds. */
export function makeTable(c: Context, node: TableDeclaration): Table {
  const { diagnostics } = c.shared;
  const keys = node.keys.map(({ expression, match, annotations }) => {
    const expr = check(c, expression);
    const width = keyWidth(expr.type);
    if (width === undefined)
      return diagnostics.fail(expression.span, `a key of type ${typeKey(expr.type)} (P4_16 §14.2.1.1)`);
    if (!c.shared.matchKinds.has(match.text))
      diagnostics.fail(match.span, `there is no match kind '${match.text}'`);
    if (!SUPPORTED.has(match.text))
      diagnostics.refuse(match.span, `the match kind '${match.text}'`, 'P4_16 §7.1.3');
    const written = keyName(expression);
    const name = annotatedName(annotations) ?? written;
    return { expr, match: match.text as MatchKind, name, written, width };
  });
  if (keys.filter(({ match }) => match === 'lpm').length > 1)
    diagnostics.error(node.name.span, 'a table has at most one lpm key (v1model)');
  const actions = makeActions(c, node);
  for (const { name } of node.properties)
    if (!PROPERTIES.has(name.text))
      diagnostics.refuse(name.span, `the table property '${name.text}'`, 'P4_16 §14.2.1.6');
  const property = (name: string): TableDeclaration['properties'][number] | undefined =>
    node.properties.find((each) => each.name.text === name);
  const fallback = property('default_action');
  const defaultCall: TableCall = fallback
    ? tableCall(c, fallback.value, actions, 'the default action')
    : { action: implicitDefault(c, actions), args: [] };
  const size = property('size');
  const marked = node.entries?.list.some(({ annotations }) => annotated(annotations, 'priority')) ?? false;
  const table: Table = {
    id: newId(c),
    name: controlPlaneName(c, node.name.text, node.annotations),
    keys,
    actions,
    defaultCall,
    constantDefault: fallback?.constant ?? false,
    constantEntries: node.entries?.constant ?? false,
    entries: [],
    largestPriorityWins: !marked && flagProperty(c, property('largest_priority_wins')?.value),
    size: size && Number(checkConstant(c, size.value)),
    objects: DIRECT.flatMap((name) => {
      const given = property(name);
      return given ? [objectProperty(c, given.value, `${node.name.text}.${name}`)] : [];
    }),
    exits: actions.some(({ routine }) => routine.exits),
  };
  const implementation = property('implementation');
  if (implementation) objectProperty(c, implementation.value, `${node.name.text}.implementation`);
  const delta = property('priority_delta');
  const entries = marked
    ? makeMarkedEntries(c, node, table)
    : makeEntries(c, node, table, delta ? Number(checkConstant(c, delta.value)) : 1);
  const made = { ...table, entries };
  c.shared.program.tables.push(made);
  return made;
}

function flagProperty(c: Context, node: Expression | undefined): boolean {
  if (!node) return true;
  const value = checkAs(c, node, BOOL);
  return value.op !== 'bool' || value.value;
}

/**
 * Checks a property whose value is an extern object: a named instance, or a constructor call as in `counters =
 * direct_counter(CounterType.packets);`.
 */
function objectProperty(c: Context, node: Expression, name: string): ExternObject {
  if (node.kind === 'call') return constructObject(c, node, controlPlaneName(c, name, []));
  const value = check(c, node);
  if (value.op !== 'object')
    return c.shared.diagnostics.fail(node.span, 'this property requires an instance');
  return value.object;
}

function makeActions(c: Context, node: TableDeclaration): TableAction[] {
  const { diagnostics } = c.shared;
  const actions: TableAction[] = [];
  for (const { action, annotations } of node.actions)
    diagnostics.attempt(() => {
      const call = action.kind === 'call' ? action : undefined;
      const callee = call ? call.callee : action;
      if (callee.kind !== 'name') return diagnostics.fail(callee.span, 'expected the name of an action');
      const symbol = lookup(c, callee.name, callee.global, callee.span);
      if (symbol.kind !== 'action') return diagnostics.fail(callee.span, `'${callee.name}' is not an action`);
      const { routine } = symbol;
      const directed = routine.parameters.filter(({ direction }) => direction !== 'none');
      const given = call?.args ?? [];
      if (given.length !== directed.length)
        diagnostics.fail(
          action.span,
          `'${routine.name}' takes ${directed.length} arguments here, not ${given.length} (P4_16 §14.2.1.2)`,
        );
      const bound = directed.map(({ direction, variable }, at): Argument => {
        const argument = given.find(({ name }) => name?.text === variable.name) ?? given[at];
        return { value: argumentValue(c, direction, argument?.value, variable.type, action.span) };
      });
      const data = routine.parameters.filter(({ direction }) => direction === 'none');
      for (const { variable } of data)
        if (keyWidth(variable.type) === undefined)
          diagnostics.unsupported(action.span, ...structuredData(variable));
      actions.push({
        routine,
        name: actionNames.get(routine) ?? routine.name,
        bound,
        data,
        defaultOnly: annotations.some(({ name }) => name === 'defaultonly'),
        tableOnly: annotations.some(({ name }) => name === 'tableonly'),
      });
    });
  return actions;
}

/** The unsupported feature for action data that is not a number: the control plane only passes numbers (v1model). */
const structuredData = ({ name, type }: Variable): [string, string] => [
  `action data '${name}' of type ${typeKey(type)}`,
  'P4_16 §14.1',
];

/** Control-plane names of actions, for tables. */
export const actionNames = new WeakMap<object, string>();

/**
 * Returns the index of NoAction, which it adds if necessary: a table without a default action does nothing on a miss
 * (P4_16 §14.2.1.3).
 */
function implicitDefault(c: Context, actions: TableAction[]): number {
  const listed = actions.findIndex(({ routine }) => routine.name === 'NoAction');
  if (listed >= 0) return listed;
  const symbol = c.scope.global.find('NoAction');
  if (symbol?.kind !== 'action') return -1;
  const { routine } = symbol;
  actions.push({ routine, name: 'NoAction', bound: [], data: [], defaultOnly: true, tableOnly: false });
  return actions.length - 1;
}

/**
 * Checks a call such as `a(1, 2)` as the action of an entry or as the default action. All its data must be constant.
 */
function tableCall(c: Context, node: Expression, actions: readonly TableAction[], what: string): TableCall {
  const { diagnostics } = c.shared;
  const callee = node.kind === 'call' ? node.callee : node;
  const name = callee.kind === 'name' ? callee.name : '';
  const action = actions.findIndex(({ routine }) => routine.name === name);
  const found = actions[action];
  if (!found)
    return diagnostics.fail(callee.span, `${what} must be one of the table's actions (P4_16 §14.2.1.3)`);
  const given = node.kind === 'call' ? node.args : [];
  const skip = given.length === found.bound.length + found.data.length ? found.bound.length : 0;
  if (given.length - skip > found.data.length)
    diagnostics.fail(node.span, `'${name}' takes ${found.data.length} values here, not ${given.length}`);
  const named = given.some((each) => each.name);
  const args = found.data.map(({ variable, fallback }, at) => {
    const argument = named ? given.find((each) => each.name?.text === variable.name) : given[at + skip];
    const value = argument?.value ? checkAs(c, argument.value, variable.type) : fallback;
    if (!value) return diagnostics.fail(node.span, `'${name}' has no value for '${variable.name}'`);
    if (keyWidth(variable.type) === undefined) diagnostics.refuse(value.span, ...structuredData(variable));
    if (value.op === 'bool') return value.value ? 1n : 0n;
    if (value.op !== 'int')
      return diagnostics.fail(
        value.span,
        'the data of an entry must be known at compile time (P4_16 §14.2.1.4)',
      );
    return value.value;
  });
  return { action, args };
}

/**
 * Checks entries and assigns priorities. An entry without a priority ranks after the previous entry (P4_16 §14.2.1.4).
 */
function makeEntries(c: Context, node: TableDeclaration, table: Table, delta: number): TableEntry[] {
  const { diagnostics } = c.shared;
  const list = node.entries?.list ?? [];
  const step = table.largestPriorityWins ? -delta : delta;
  const explicit = list.some(({ priority }) => priority);
  let next = table.largestPriorityWins && !explicit ? delta * (list.length - 1) + 1 : 1;
  const entries: TableEntry[] = [];
  for (const entry of list)
    diagnostics.attempt(() => {
      if (entry.priority) next = Number(checkConstant(c, entry.priority));
      entries.push(makeEntry(c, entry, table, next));
      next += step;
    });
  return entries;
}

/**
 * Checks entries with `@priority(1)` annotations, an older syntax for priorities. The lowest number wins. The default
 * priority is the position in the list (v1model).
 */
function makeMarkedEntries(c: Context, node: TableDeclaration, table: Table): TableEntry[] {
  const { diagnostics } = c.shared;
  const entries: TableEntry[] = [];
  for (const [at, entry] of (node.entries?.list ?? []).entries())
    diagnostics.attempt(() => {
      const mark = annotated(entry.annotations, 'priority');
      const [value] = mark ? parseAnnotationBody(mark.body, mark.span, diagnostics) : [];
      entries.push(makeEntry(c, entry, table, value ? Number(checkConstant(c, value)) : at + 1));
    });
  return entries;
}

function makeEntry(c: Context, entry: EntryNode, table: Table, priority: number): TableEntry {
  const { diagnostics } = c.shared;
  const matched = table.keys.filter(({ match }) => match !== 'selector');
  const only = entry.keys.length === 1 ? entry.keys[0] : undefined;
  if (entry.keys.length !== matched.length && only?.kind !== 'any')
    diagnostics.fail(entry.span, `this entry has ${entry.keys.length} keys, but the table ${matched.length}`);
  const keys = matched.map(({ expr, width, match }, at) => {
    const node = entry.keys.length === matched.length ? entry.keys[at] : only;
    if (!node) return diagnostics.fail(entry.span, 'this entry lacks a key');
    const key = checkEntryKey(c, node, expr.type, width);
    const allowed: Record<MatchKind, readonly string[]> = {
      exact: ['value'],
      lpm: ['value', 'mask', 'any'],
      ternary: ['value', 'mask', 'any'],
      range: ['value', 'range', 'any'],
      optional: ['value', 'any'],
      selector: [],
    };
    if (!allowed[match].includes(key.kind))
      diagnostics.fail(node.span, `this is not allowed for the match kind ${match} (P4_16 §14.2.1.4)`);
    return key;
  });
  return { keys, call: tableCall(c, entry.action, table.actions, "an entry's action"), priority };
}

/** Returns the control-plane name of a key: its source text, with `$valid$` for validity (P4Runtime and BMv2). */
function keyName(node: Expression): string {
  switch (node.kind) {
    case 'name':
      return node.name;
    case 'member':
      return `${keyName(node.base)}.${node.member.text}`;
    case 'index':
      return `${keyName(node.base)}[${keyName(node.index)}]`;
    case 'slice':
      return `${keyName(node.base)}[${keyName(node.high)}:${keyName(node.low)}]`;
    case 'integer':
      return node.literal.value.toString();
    case 'cast':
      return keyName(node.operand);
    case 'call':
      if (node.callee.kind === 'member' && node.callee.member.text === 'isValid')
        return `${keyName(node.callee.base)}.$valid$`;
      return keyName(node.callee);
    default:
      return node.span.file.text.slice(node.span.start, node.span.end).replaceAll(/\s+/g, ' ');
  }
}
