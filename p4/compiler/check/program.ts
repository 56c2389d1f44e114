import type {
  ControlDeclaration,
  Declaration,
  EnumDeclaration,
  Instantiation,
  PackageDeclaration,
  ParserDeclaration,
  TypedefDeclaration,
} from '../ast.ts';
import type { Diagnostics } from '../diagnostics.ts';
import type { Program, Unit } from '../ir.ts';
import { matchArguments } from './arguments.ts';
import { checkArchitecture } from './architecture.ts';
import type { Context, Shared } from './context.ts';
import { controlPlaneName, declare, lookup } from './context.ts';
import { checkConstant } from './expressions.ts';
import { makeInstance, makeUnit } from './instances.ts';
import { resolveType, structType } from './resolve.ts';
import { makeAction, makeFunction } from './routines.ts';
import { unhandled } from '../unhandled.ts';
import { Scope } from './scope.ts';
import { checkConstantDeclaration } from './statements.ts';
import { actionNames } from './tables.ts';
import { isBits, typeKey, underlying } from './types.ts';
import type { Type } from './types.ts';

type UnitDeclaration = ParserDeclaration | ControlDeclaration;

/** Checks a whole program and instantiates its package. */
export function checkProgram(declarations: readonly Declaration[], diagnostics: Diagnostics): Program {
  const program: Program = {
    routines: [],
    units: [],
    tables: [],
    objects: [],
    valueSets: [],
    errors: [],
    package: { name: '', args: [] },
  };
  const shared: Shared = {
    diagnostics,
    program,
    structs: new Map(),
    functions: new Map(),
    matchKinds: new Set(),
    nextId: 1,
    depth: 0,
  };
  const c: Context = {
    shared,
    scope: new Scope(),
    path: '',
    inside: 'top',
    returns: undefined,
    loops: 0,
    markExit: () => undefined,
  };
  let main: Program['package'] | undefined;
  for (const declaration of declarations) {
    const whole = diagnostics.attempt(() => {
      const made = declareTop(c, declaration);
      if (made) main = made;
    });
    if (!whole && 'name' in declaration && !c.scope.own(declaration.name.text))
      c.scope.set(declaration.name.text, { kind: 'broken' });
  }
  checkUnused(c, declarations);
  if (!main && !diagnostics.failed)
    diagnostics.error(undefined, "there is no package instance 'main' (P4_16 §6.6)");
  return main ? { ...program, package: main } : program;
}

function declareTop(c: Context, node: Declaration): Program['package'] | undefined {
  const { shared, scope } = c;
  switch (node.kind) {
    case 'constant':
      checkConstantDeclaration(c, node);
      return;
    case 'error':
      for (const { text, span } of node.names) {
        if (shared.program.errors.includes(text))
          shared.diagnostics.error(span, `error.${text} is declared twice`);
        else shared.program.errors.push(text);
      }
      return;
    case 'match_kind':
      for (const { text } of node.names) shared.matchKinds.add(text);
      return;
    case 'instance':
      return instanceOrPackage(c, node);
    case 'action': {
      const routine = makeAction(c, node);
      actionNames.set(routine, controlPlaneName(c, node.name.text, node.annotations));
      declare(c, node.name, { kind: 'action', routine });
      return;
    }
    case 'function':
    case 'externFunction': {
      const earlier = scope.own(node.name.text);
      if (earlier?.kind === 'functions') earlier.overloads.push(node);
      else declare(c, node.name, { kind: 'functions', overloads: [node] });
      if (node.kind === 'function' && !node.prototype.typeParameters.length)
        makeFunction(c, node, [], node.span);
      return;
    }
    case 'parser':
    case 'control': {
      const isType = node.kind === 'parser' ? !node.states : !node.body;
      declare(
        c,
        node.name,
        isType
          ? { kind: 'type', type: { kind: node.kind, name: node.name.text } }
          : { kind: 'unit', declaration: node },
      );
      return;
    }
    case 'struct':
    case 'header':
    case 'header_union':
      declare(
        c,
        node.name,
        node.typeParameters.length
          ? { kind: 'generic', declaration: node }
          : { kind: 'type', type: structType(c, node, []) },
      );
      return;
    case 'enum':
      declare(c, node.name, { kind: 'type', type: enumType(c, node) });
      return;
    case 'typedef':
      declare(c, node.name, { kind: 'type', type: typedef(c, node) });
      return;
    case 'extern':
      declare(c, node.name, { kind: 'extern', declaration: node });
      return;
    case 'package':
      declare(c, node.name, { kind: 'package', declaration: node });
      return;
    default:
      return unhandled(node);
  }
}

function enumType(c: Context, node: EnumDeclaration): Type {
  const { diagnostics } = c.shared;
  const name = node.name.text;
  if (!node.underlying)
    return { kind: 'enum', name, members: node.members.map((member) => member.name.text) };
  const type = resolveType(c, node.underlying);
  const held = underlying(type);
  if (!isBits(held))
    return diagnostics.fail(
      node.underlying.span,
      `an enum is held in bit<> or int<>, not ${typeKey(type)} (P4_16 §7.2.1)`,
    );
  const members = new Map<string, bigint>();
  // The value of a member may use earlier members.
  const made: Type = { kind: 'serializable', name, underlying: held, members };
  const inner: Context = { ...c, scope: new Scope(c.scope) };
  inner.scope.set(name, { kind: 'type', type: made });
  for (const { name: member, value } of node.members) {
    if (!value)
      diagnostics.error(member.span, `'${member.text}' needs a value: the enum has a type (P4_16 §7.2.1)`);
    else members.set(member.text, checkConstant(inner, value));
  }
  return made;
}

function typedef(c: Context, node: TypedefDeclaration): Type {
  const { type } = node;
  const base =
    type.kind === 'enum'
      ? enumType(c, type)
      : 'fields' in type
        ? structType(c, type, [])
        : resolveType(c, type);
  return node.distinct ? { kind: 'newtype', name: node.name.text, base } : base;
}

function instanceOrPackage(c: Context, node: Instantiation): Program['package'] | undefined {
  const symbol =
    node.type.kind === 'named' ? lookup(c, node.type.name.text, node.type.global, node.type.span) : undefined;
  if (symbol?.kind !== 'package') {
    declare(c, node.name, makeInstance(c, node));
    return;
  }
  const made = makePackage(c, symbol.declaration, node);
  declare(c, node.name, { kind: 'broken' });
  return node.name.text === 'main' ? made : undefined;
}

function makePackage(c: Context, declaration: PackageDeclaration, node: Instantiation): Program['package'] {
  const { diagnostics } = c.shared;
  const name = declaration.name.text;
  if (name !== 'V1Switch')
    diagnostics.refuse(
      node.type.span,
      `the architecture of package '${name}'; only V1Switch of v1model is`,
      'P4_16 §4',
    );
  const matched = matchArguments(c, `'${name}'`, declaration.parameters, node.args, node.span);
  const args = matched.map(({ argument }): Unit => {
    const value = argument?.value;
    if (value?.kind === 'call' && value.callee.kind === 'name') {
      const symbol = lookup(c, value.callee.name, value.callee.global, value.callee.span);
      if (symbol.kind === 'unit')
        return makeUnit(
          c,
          symbol.declaration,
          value.args,
          controlPlaneName(c, symbol.declaration.name.text, symbol.declaration.annotations),
          value.span,
        );
    }
    if (value?.kind === 'name') {
      const symbol = lookup(c, value.name, value.global, value.span);
      if (symbol.kind === 'instance') return symbol.unit;
    }
    return diagnostics.fail(
      argument?.span ?? node.span,
      'the package requires an instance of a parser or a control',
    );
  });
  checkArchitecture(c, args, node.span);
  return { name, args };
}

/** Checks parsers and controls that the package does not use, and discards the result. */
function checkUnused(c: Context, declarations: readonly Declaration[]): void {
  const made = new Set(c.shared.program.units.map(({ name }) => name));
  const discarded: Program = {
    ...c.shared.program,
    routines: [...c.shared.program.routines],
    units: [],
    tables: [],
    objects: [],
    valueSets: [],
  };
  const inner: Context = { ...c, shared: { ...c.shared, program: discarded } };
  const unused = (node: Declaration): node is UnitDeclaration =>
    (node.kind === 'control'
      ? node.body !== undefined
      : node.kind === 'parser' && node.states !== undefined) &&
    'constructorParameters' in node &&
    !node.constructorParameters.length &&
    !node.typeParameters.length &&
    ![...made].some((name) => name === node.name.text || name.endsWith(`.${node.name.text}`));
  for (const node of declarations)
    if (unused(node))
      c.shared.diagnostics.attempt(() => void makeUnit(inner, node, [], node.name.text, node.name.span));
}
