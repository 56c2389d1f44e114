import { isStruct } from '../check/types.ts';
import type { Type } from '../check/types.ts';
import type { Diagnostics } from '../diagnostics.ts';
import type { Program, Unit } from '../ir.ts';
import { Body, Module, unitName, variableName } from './body.ts';
import { objectLines } from '../../externs/calls.ts';
import { expression } from './expressions.ts';
import { fieldName } from './representation.ts';
import { writeRoutine, writeTable, writeUnit } from './units.ts';

/** Method names of the generated program, in the order of the V1Switch package's blocks. */
const BLOCKS = ['parse', 'verifyChecksum', 'ingress', 'egress', 'computeChecksum', 'deparse'];

/**
 * Generates the whole program: the body of a JavaScript function with the parameters `$rt` (the switch), `$in` (the
 * packet to read), `$out` (the packet to write) and `$bits` (data for hashes). It returns the blocks.
 */
export function generate(program: Program, diagnostics: Diagnostics): string {
  const module = new Module(program, diagnostics, expression);
  for (const routine of program.routines) diagnostics.attempt(() => writeRoutine(module, routine));
  for (const table of program.tables) diagnostics.attempt(() => writeTable(module, table));
  for (const unit of program.units) diagnostics.attempt(() => writeUnit(module, unit));
  const objects = new Body(module);
  objectLines(objects);
  const exported = new Body(module);
  writeExports(exported, program.package.args);
  return [
    '"use strict";',
    ...module.classes.lines,
    ...objects.lines,
    ...module.head,
    ...module.functions,
    ...exported.lines,
    '',
  ].join('\n');
}

function writeExports(b: Body, units: readonly Unit[]): void {
  const [parser] = units;
  const types = parser?.parameters.map(({ variable }) => variable.type) ?? [];
  const names = ['headers', 'metadata', 'standard'];
  const made = names.map(
    (name, at) => `${name}: () => ${types[at] ? b.module.classes.zero(types[at]) : '{}'}`,
  );
  b.line('return {');
  for (const line of made) b.line(`  ${line},`);
  for (const [at, block] of BLOCKS.entries()) {
    const unit = units[at];
    if (!unit) continue;
    const parameters = unit.parameters.map((_, i) => names[i] ?? '');
    b.line(`  ${block}(${parameters.join(', ')}) {`);
    for (const [i, { direction, variable }] of unit.parameters.entries()) {
      b.line(`    ${variableName(variable)} = ${parameters[i] ?? ''};`);
      if (direction === 'out') b.line(`    ${variableName(variable)}.$reset();`);
    }
    b.line(`    ${unitName(unit)}();`);
    b.line('  },');
  }
  b.line('  preserve(list, metadata, standard, toMetadata, toStandard) {');
  b.line('    switch (list) {');
  for (const [list, lines] of fieldLists(types[1], types[2]))
    b.line(`      case ${list}: ${lines.join(' ')} break;`);
  b.line('    }');
  b.line('  },');
  b.line('};');
}

/** Returns lines that copy the metadata with `@field_list(n)`, by n. An annotated struct is copied whole (v1model). */
function fieldLists(metadata: Type | undefined, standard: Type | undefined): Map<number, string[]> {
  const lists = new Map<number, string[]>();
  const walk = (type: Type | undefined, from: string, to: string): void => {
    if (!type || !isStruct(type)) return;
    for (const field of type.fields) {
      const name = fieldName(field.name);
      const inner = isStruct(field.type) || field.type.kind === 'stack' || field.type.kind === 'tuple';
      const line = inner ? `${to}.${name}.$set(${from}.${name});` : `${to}.${name} = ${from}.${name};`;
      for (const list of field.fieldLists) lists.set(list, [...(lists.get(list) ?? []), line]);
      walk(field.type, `${from}.${name}`, `${to}.${name}`);
    }
  };
  walk(metadata, 'metadata', 'toMetadata');
  walk(standard, 'standard', 'toStandard');
  return lists;
}
