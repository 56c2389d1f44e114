import type { Annotation, Expression, TableDeclaration, TableEntry, TableKey } from '../ast.ts';
import type { Token } from '../token.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression, parseKeyset } from './expressions.ts';

/** Parses a table (P4_16 §14.2). */
export function parseTable(p: Cursor, start: Token, annotations: Annotation[]): TableDeclaration {
  p.expect('table');
  const name = p.name();
  let keys: TableKey[] = [];
  let actions: TableDeclaration['actions'] = [];
  let entries: TableDeclaration['entries'];
  const properties: TableDeclaration['properties'] = [];
  p.expect('{');
  while (!p.is('}') && !p.done)
    p.recovering(() => {
      p.annotations();
      const constant = p.accept('const');
      if (p.is('key') && p.is('=', 1)) keys = parseKeys(p);
      else if (p.is('actions') && p.is('=', 1)) actions = parseActions(p);
      else if (p.is('entries') && p.is('=', 1)) entries = { list: parseEntries(p), constant };
      else {
        const property = p.name();
        p.expect('=');
        properties.push({ name: property, value: parseExpression(p), constant });
        p.expect(';');
      }
    });
  p.expect('}');
  return { kind: 'table', name, keys, actions, entries, properties, annotations, span: p.spanFrom(start) };
}

function openList(p: Cursor): void {
  p.next();
  p.expect('=');
  p.expect('{');
}

function parseKeys(p: Cursor): TableKey[] {
  const keys: TableKey[] = [];
  openList(p);
  while (!p.is('}') && !p.done) {
    const expression = parseExpression(p);
    p.expect(':');
    const match = p.name();
    keys.push({ expression, match, annotations: p.annotations() });
    p.expect(';');
  }
  p.expect('}');
  return keys;
}

function parseActions(p: Cursor): TableDeclaration['actions'] {
  const actions: TableDeclaration['actions'] = [];
  openList(p);
  while (!p.is('}') && !p.done) {
    const annotations = p.annotations();
    actions.push({ action: parseExpression(p), annotations });
    p.expect(';');
  }
  p.expect('}');
  return actions;
}

function parseEntries(p: Cursor): TableEntry[] {
  const entries: TableEntry[] = [];
  openList(p);
  while (!p.is('}') && !p.done) {
    const start = p.token;
    const constant = p.accept('const');
    let priority: Expression | undefined;
    if (p.is('priority') && p.is('=', 1)) {
      p.next();
      p.next();
      priority = parseExpression(p);
      p.expect(':');
    }
    const keys = parseKeyset(p);
    p.expect(':');
    const action = parseExpression(p);
    const annotations = p.annotations();
    p.expect(';');
    entries.push({ constant, priority, keys, action, annotations, span: p.spanFrom(start) });
  }
  p.expect('}');
  return entries;
}
