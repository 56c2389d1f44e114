import type { ParserState, ValueSetDeclaration } from '../ast.ts';
import { ACCEPT, REJECT } from '../ir.ts';
import type { Expr, Keyset, State, ValueSet } from '../ir.ts';
import type { Span } from '../source.ts';
import type { Context } from './context.ts';
import { controlPlaneName, declare, didYouMean, newId } from './context.ts';
import { check } from './expressions.ts';
import { checkKeyset } from './keysets.ts';
import { resolveType } from './resolve.ts';
import { Scope } from './scope.ts';
import { checkStatements } from './statements.ts';
import { isStruct, typeKey } from './types.ts';
import type { Type } from './types.ts';

/** Indices of the states by name. `accept` and `reject` need no declaration (P4_16 §13.3). */
type StateTable = ReadonlyMap<string, number>;

export function stateTable(c: Context, states: readonly ParserState[]): StateTable {
  const table = new Map([
    ['accept', ACCEPT],
    ['reject', REJECT],
  ]);
  for (const [at, { name }] of states.entries()) {
    if (table.has(name.text))
      c.shared.diagnostics.error(name.span, `the state '${name.text}' is declared twice`);
    else table.set(name.text, at);
  }
  return table;
}

export function checkState(c: Context, node: ParserState, table: StateTable): State {
  const { diagnostics } = c.shared;
  const inner: Context = { ...c, scope: new Scope(c.scope) };
  const body = checkStatements(inner, node.statements);
  const target = (name: { text: string; span: Span }): number => {
    const to = table.get(name.text);
    if (to !== undefined) return to;
    diagnostics.error(name.span, `there is no state '${name.text}'${didYouMean(name.text, table.keys())}`);
    return REJECT;
  };
  const state: State = { name: node.name.text, body, transition: { keys: [], cases: [] } };
  const to = node.transition?.to;
  // A state without a transition transitions to reject (P4_16 §13.5).
  if (!to || 'text' in to) state.transition.cases.push({ sets: [], to: to ? target(to) : REJECT });
  else
    diagnostics.attempt(() => {
      const keys = to.select.map((key) => check(inner, key));
      state.transition.keys = keys;
      for (const each of to.cases)
        diagnostics.attempt(() => {
          state.transition.cases.push({
            sets: checkCaseSets(inner, each.keys, keys, each.span),
            to: target(each.state),
          });
        });
    });
  return state;
}

/** Checks the key sets of a select case (P4_16 §13.6). */
function checkCaseSets(
  c: Context,
  nodes: Parameters<typeof checkKeyset>[1][],
  keys: readonly Expr[],
  span: Span,
): Keyset[] {
  const [only] = nodes;
  if (nodes.length === 1 && only?.kind === 'any') return [];
  if (nodes.length === 1 && only?.kind === 'name') {
    const symbol = c.scope.find(only.name);
    if (symbol?.kind === 'valueSet') {
      if (symbol.set.types.length !== keys.length)
        c.shared.diagnostics.fail(
          only.span,
          `this value set has ${symbol.set.types.length} parts, but select ${keys.length}`,
        );
      return [{ kind: 'set', set: symbol.set }];
    }
  }
  if (nodes.length !== keys.length)
    c.shared.diagnostics.fail(span, `this case has ${nodes.length} parts, but select ${keys.length}`);
  return nodes.map((node, at): Keyset => {
    const type: Type = keys[at]?.type ?? { kind: 'void' };
    if (isStruct(type) || type.kind === 'stack')
      c.shared.diagnostics.fail(node.span, `select does not apply to ${typeKey(type)} (P4_16 §13.6)`);
    return checkKeyset(c, node, type);
  });
}

/** Declares a value set (P4_16 §13.11). */
export function declareValueSet(c: Context, node: ValueSetDeclaration): void {
  const type = resolveType(c, node.type);
  const types =
    type.kind === 'struct'
      ? type.fields.map((field) => field.type)
      : type.kind === 'tuple'
        ? type.elements
        : [type];
  const set: ValueSet = { id: newId(c), name: controlPlaneName(c, node.name.text, node.annotations), types };
  c.shared.program.valueSets.push(set);
  declare(c, node.name, { kind: 'valueSet', set });
}
