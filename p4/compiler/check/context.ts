import { similarName } from '../../../system/command-line/suggestion.ts';
import type { Annotation, Name } from '../ast.ts';
import { Abandon } from '../diagnostics.ts';
import type { Diagnostics } from '../diagnostics.ts';
import type { Program, Routine, Variable } from '../ir.ts';
import type { Span } from '../source.ts';
import type { Scope, Symbol } from './scope.ts';
import type { StructType, Type } from './types.ts';

/** State shared by all checks of a program. */
export interface Shared {
  readonly diagnostics: Diagnostics;
  readonly program: Program;
  readonly structs: Map<string, StructType>;
  /** Instantiated functions, by declaration and type arguments. */
  readonly functions: Map<string, Routine>;
  readonly matchKinds: Set<string>;
  nextId: number;
  /** Nesting depth of instances and functions, to detect recursion, which P4 forbids (P4_16 §10 and §13.10). */
  depth: number;
}

/** The checker's position in the program. */
export interface Context {
  readonly shared: Shared;
  readonly scope: Scope;
  /** The control-plane name of the enclosing instance; empty at the top level. */
  readonly path: string;
  readonly inside: 'top' | 'parser' | 'state' | 'control' | 'apply' | 'action' | 'function';
  readonly returns: Type | undefined;
  readonly loops: number;
  /** Called when the code may exit, directly or through a call. */
  readonly markExit: () => void;
}

export const newId = (c: Context): number => c.shared.nextId++;

export function newVariable(c: Context, name: string, type: Type, shared: boolean): Variable {
  return { id: newId(c), name, type, shared };
}

export function declare(c: Context, name: Name, symbol: Symbol): void {
  const earlier = c.scope.own(name.text);
  if (earlier && earlier.kind !== 'broken')
    c.shared.diagnostics.error(name.span, `'${name.text}' is declared twice in the same scope`);
  c.scope.set(name.text, symbol);
}

/** Looks up a name. If it is not declared, reports an error that suggests the most similar name. */
export function lookup(c: Context, name: string, global: boolean, span: Span): Symbol {
  const symbol = (global ? c.scope.global : c.scope).find(name);
  if (symbol && symbol.kind !== 'broken') return symbol;
  // The name's declaration had an error, which has been reported. A second report would count as an error, even if the
  // declaration is only unsupported.
  if (symbol && c.shared.diagnostics.failed) throw new Abandon(name);
  if (symbol) return c.shared.diagnostics.fail(span, `'${name}' cannot be used`);
  return c.shared.diagnostics.fail(span, `'${name}' is not declared${didYouMean(name, c.scope.allNames())}`);
}

/** Suggests the most similar name for a mistyped one; empty if none is similar. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = similarName(name, [...candidates]);
  return near === undefined ? '' : `; did you mean '${near}'?`;
}

export function annotated(annotations: readonly Annotation[], wanted: string): Annotation | undefined {
  return annotations.find(({ name }) => name === wanted);
}

/** Returns the string in `@name("...")`. */
export function annotatedName(annotations: readonly Annotation[]): string | undefined {
  const body = annotated(annotations, 'name')?.body;
  return body?.[0]?.kind === 'string' ? body[0].text : undefined;
}

/** Returns the control-plane name of a declaration (P4_16 §20.3 and P4Runtime). */
export function controlPlaneName(c: Context, name: string, annotations: readonly Annotation[]): string {
  const given = annotatedName(annotations) ?? name;
  if (given.startsWith('.')) return given.slice(1);
  return c.path ? `${c.path}.${given}` : given;
}
