import type {
  Annotation,
  ControlDeclaration,
  Declaration,
  EnumDeclaration,
  Expression,
  ExternDeclaration,
  ExternFunctionDeclaration,
  FunctionPrototype,
  LocalDeclaration,
  Name,
  NamesDeclaration,
  PackageDeclaration,
  ParserDeclaration,
  ParserState,
  StructDeclaration,
  TableDeclaration,
  Transition,
  TypedefDeclaration,
  ValueSetDeclaration,
} from '../ast.ts';
import type { Token } from '../token.ts';
import type { Cursor } from './cursor.ts';
import { describe } from './cursor.ts';
import { parseExpression, parseKeyset } from './expressions.ts';
import { parseBlock, parseConstant, parseInstantiation, parseStatement } from './statements.ts';
import { parseTable } from './tables.ts';
import { parseParameters, parseType, parseTypeParameters } from './types.ts';

export function parseProgram(p: Cursor): Declaration[] {
  const declarations: Declaration[] = [];
  while (!p.done) {
    if (p.accept(';')) continue;
    if (p.is('}')) {
      p.diagnostics.error(p.next().span, "unmatched '}'");
      continue;
    }
    p.recovering(() => void declarations.push(parseDeclaration(p)));
    p.forgetTypeParameters();
  }
  return declarations;
}

function parseDeclaration(p: Cursor): Declaration {
  const start = p.token;
  const annotations = p.annotations();
  switch (p.token.kind === 'name' ? p.token.text : '') {
    case 'const':
      return parseConstant(p);
    case 'extern':
      return parseExtern(p, start, annotations);
    case 'action':
      return parseAction(p, start, annotations);
    case 'parser':
      return parseParser(p, start, annotations);
    case 'control':
      return parseControl(p, start, annotations);
    case 'package':
      return parsePackage(p, start, annotations);
    case 'struct':
    case 'header':
    case 'header_union':
      return parseStruct(p, start, annotations);
    case 'enum':
      return parseEnum(p, start, annotations);
    case 'typedef':
      return parseTypedef(p, start, annotations);
    case 'type':
      if (!p.is('(', 1)) return parseTypedef(p, start, annotations);
      break;
    case 'match_kind':
    case 'error':
      if (p.is('{', 1)) return parseNames(p, start);
      break;
  }
  const instance = parseInstantiation(p);
  if (instance) return { ...instance, annotations: [...annotations, ...instance.annotations] };
  const prototype = parsePrototype(p);
  const body = parseBlock(p);
  return { kind: 'function', name: prototype.name, prototype, body, annotations, span: p.spanFrom(start) };
}

function parseNames(p: Cursor, start: Token): NamesDeclaration {
  const kind = p.next().text as 'error' | 'match_kind';
  p.expect('{');
  return { kind, names: p.separated('}', () => p.name()), span: p.spanFrom(start) };
}

function parsePrototype(p: Cursor): FunctionPrototype {
  const start = p.token;
  // The return type may be one of the type parameters that follow the name.
  const returns = parseType(p);
  const name = p.name();
  const typeParameters = parseTypeParameters(p);
  const parameters = parseParameters(p);
  return { name, returns, typeParameters, parameters, span: p.spanFrom(start) };
}

function parseExtern(
  p: Cursor,
  start: Token,
  annotations: Annotation[],
): ExternDeclaration | ExternFunctionDeclaration {
  p.expect('extern');
  const object = p.speculate(() => {
    const name = p.name();
    const typeParameters = parseTypeParameters(p);
    return p.is('{') ? { name, typeParameters } : undefined;
  });
  if (!object) {
    const prototype = parsePrototype(p);
    p.expect(';');
    return { kind: 'externFunction', name: prototype.name, prototype, annotations, span: p.spanFrom(start) };
  }
  p.typeNames.add(object.name.text);
  const constructors: FunctionPrototype[] = [];
  const methods: FunctionPrototype[] = [];
  p.expect('{');
  while (!p.is('}') && !p.done) {
    p.annotations();
    p.accept('abstract');
    if (p.is(object.name.text) && p.is('(', 1)) {
      const name = p.name();
      const parameters = parseParameters(p);
      constructors.push({ name, returns: undefined, typeParameters: [], parameters, span: name.span });
    } else methods.push(parsePrototype(p));
    p.expect(';');
  }
  p.expect('}');
  return { kind: 'extern', ...object, constructors, methods, annotations, span: p.spanFrom(start) };
}

function parseAction(
  p: Cursor,
  start: Token,
  annotations: Annotation[],
): LocalDeclaration & { kind: 'action' } {
  p.expect('action');
  const name = p.name();
  const parameters = parseParameters(p);
  const body = parseBlock(p);
  return { kind: 'action', name, parameters, body, annotations, span: p.spanFrom(start) };
}

function parsePackage(p: Cursor, start: Token, annotations: Annotation[]): PackageDeclaration {
  p.expect('package');
  const name = typeName(p);
  const typeParameters = parseTypeParameters(p);
  const parameters = parseParameters(p);
  p.expect(';');
  return { kind: 'package', name, typeParameters, parameters, annotations, span: p.spanFrom(start) };
}

function typeName(p: Cursor): Name {
  const name = p.name();
  p.typeNames.add(name.text);
  return name;
}

function parseStruct(p: Cursor, start: Token, annotations: Annotation[]): StructDeclaration {
  const kind = p.next().text as StructDeclaration['kind'];
  const name = typeName(p);
  const typeParameters = parseTypeParameters(p);
  const fields: StructDeclaration['fields'] = [];
  p.expect('{');
  while (!p.is('}') && !p.done)
    p.recovering(() => {
      const fieldAnnotations = p.annotations();
      const type = parseType(p);
      fields.push({ type, name: p.name(), annotations: fieldAnnotations });
      p.expect(';');
    });
  p.expect('}');
  return { kind, name, typeParameters, fields, annotations, span: p.spanFrom(start) };
}

function parseEnum(p: Cursor, start: Token, annotations: Annotation[]): EnumDeclaration {
  p.expect('enum');
  const underlying = p.is('{', 1) ? undefined : parseType(p);
  const name = typeName(p);
  p.expect('{');
  const members = p.separated('}', () => {
    p.annotations();
    return { name: p.name(), value: p.accept('=') ? parseExpression(p) : undefined };
  });
  return { kind: 'enum', name, underlying, members, annotations, span: p.spanFrom(start) };
}

function parseTypedef(p: Cursor, start: Token, annotations: Annotation[]): TypedefDeclaration {
  const distinct = p.next().text === 'type';
  const inner = p.token;
  const innerAnnotations = p.annotations();
  const type =
    p.is('struct') || p.is('header') || p.is('header_union')
      ? parseStruct(p, inner, innerAnnotations)
      : p.is('enum')
        ? parseEnum(p, inner, innerAnnotations)
        : parseType(p);
  const name = typeName(p);
  p.expect(';');
  return { kind: 'typedef', distinct, type, name, annotations, span: p.spanFrom(start) };
}

function parseControl(p: Cursor, start: Token, annotations: Annotation[]): ControlDeclaration {
  p.expect('control');
  const name = typeName(p);
  const typeParameters = parseTypeParameters(p);
  const parameters = parseParameters(p);
  const head = { kind: 'control', name, typeParameters, parameters, annotations } as const;
  if (p.accept(';'))
    return { ...head, constructorParameters: [], locals: [], body: undefined, span: p.spanFrom(start) };
  const constructorParameters = p.is('(') ? parseParameters(p) : [];
  const locals: LocalDeclaration[] = [];
  p.expect('{');
  while (!(p.is('apply') && (p.is('{', 1) || p.is('@', 1))) && !p.is('}') && !p.done)
    p.recovering(() => void locals.push(parseLocal(p)));
  p.expect('apply');
  const body = parseBlock(p);
  p.expect('}');
  return { ...head, constructorParameters, locals, body, span: p.spanFrom(start) };
}

function parseLocal(p: Cursor): LocalDeclaration {
  const start = p.token;
  const annotations = p.annotations();
  if (p.is('action')) return parseAction(p, start, annotations);
  if (p.is('table')) return parseTable(p, start, annotations) satisfies TableDeclaration;
  if (p.is('value_set')) return parseValueSet(p, start, annotations);
  if (p.is('const')) return parseConstant(p);
  const instance = parseInstantiation(p);
  if (instance) return { ...instance, annotations: [...annotations, ...instance.annotations] };
  const statement = parseStatement(p);
  return statement.kind === 'variable' ? { ...statement, annotations } : statement;
}

function parseValueSet(p: Cursor, start: Token, annotations: Annotation[]): ValueSetDeclaration {
  p.expect('value_set');
  p.expect('<');
  const type = parseType(p);
  p.expect('>');
  p.expect('(');
  const size = parseExpression(p);
  p.expect(')');
  const name = p.name();
  p.expect(';');
  return { kind: 'valueSet', type, size, name, annotations, span: p.spanFrom(start) };
}

function parseParser(p: Cursor, start: Token, annotations: Annotation[]): ParserDeclaration {
  p.expect('parser');
  const name = typeName(p);
  const typeParameters = parseTypeParameters(p);
  const parameters = parseParameters(p);
  const head = { kind: 'parser', name, typeParameters, parameters, annotations } as const;
  if (p.accept(';'))
    return { ...head, constructorParameters: [], locals: [], states: undefined, span: p.spanFrom(start) };
  const constructorParameters = p.is('(') ? parseParameters(p) : [];
  const locals: LocalDeclaration[] = [];
  const states: ParserState[] = [];
  p.expect('{');
  while (!p.is('}') && !p.done)
    p.recovering(() => {
      const first = p.token;
      const marks = p.annotations();
      if (p.is('state') && p.isName(1) && p.is('{', 2)) states.push(parseState(p, first, marks));
      else {
        p.rewind(first);
        locals.push(parseLocal(p));
      }
    });
  p.expect('}');
  return { ...head, constructorParameters, locals, states, span: p.spanFrom(start) };
}

function parseState(p: Cursor, start: Token, annotations: Annotation[]): ParserState {
  p.expect('state');
  const name = p.name();
  const statements: ParserState['statements'] = [];
  p.expect('{');
  while (!p.is('}') && !p.is('transition') && !p.done)
    p.recovering(() => void statements.push(parseStatement(p)));
  const transition = p.is('transition') ? parseTransition(p) : undefined;
  if (!p.is('}')) p.fail(`expected '}' but found ${describe(p.token)}`);
  p.next();
  return { name, statements, transition, annotations, span: p.spanFrom(start) };
}

function parseTransition(p: Cursor): Transition {
  const start = p.expect('transition');
  if (!p.is('select')) {
    const to = p.name();
    p.expect(';');
    return { to, span: p.spanFrom(start) };
  }
  p.next();
  p.expect('(');
  const select: Expression[] = p.separated(')', () => parseExpression(p));
  const cases: { keys: Expression[]; state: Name; span: Token['span'] }[] = [];
  p.expect('{');
  while (!p.is('}') && !p.done) {
    const first = p.token;
    const keys = parseKeyset(p);
    p.expect(':');
    const state = p.name();
    p.expect(';');
    cases.push({ keys, state, span: p.spanFrom(first) });
  }
  p.expect('}');
  p.accept(';');
  return { to: { select, cases }, span: p.spanFrom(start) };
}
