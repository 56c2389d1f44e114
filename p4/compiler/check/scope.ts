import type {
  ControlDeclaration,
  Direction,
  ExternDeclaration,
  ExternFunctionDeclaration,
  FunctionDeclaration,
  PackageDeclaration,
  ParserDeclaration,
  StructDeclaration,
} from '../ast.ts';
import type { Expr, ExternObject, Routine, Table, Unit, ValueSet, Variable } from '../ir.ts';
import type { Type } from './types.ts';

/** The entity that a name denotes. */
export type Symbol =
  | { kind: 'type'; type: Type }
  | { kind: 'generic'; declaration: StructDeclaration }
  | { kind: 'constant'; value: Expr }
  | { kind: 'variable'; variable: Variable; direction: Direction | 'local' }
  | { kind: 'action'; routine: Routine }
  | { kind: 'functions'; overloads: (FunctionDeclaration | ExternFunctionDeclaration)[] }
  | { kind: 'extern'; declaration: ExternDeclaration }
  | { kind: 'unit'; declaration: ParserDeclaration | ControlDeclaration }
  | { kind: 'package'; declaration: PackageDeclaration }
  | { kind: 'object'; object: ExternObject }
  /** `packet_in` or `packet_out`. Only one packet exists at a time, so the symbol holds no instance. */
  | { kind: 'packet'; which: 'packet_in' | 'packet_out' }
  | { kind: 'instance'; unit: Unit }
  | { kind: 'table'; table: Table }
  | { kind: 'valueSet'; set: ValueSet }
  /** A declaration whose error has already been reported. */
  | { kind: 'broken' };

export class Scope {
  readonly parent: Scope | undefined;
  private readonly names = new Map<string, Symbol>();

  constructor(parent?: Scope) {
    this.parent = parent;
  }

  get global(): Scope {
    return this.parent?.global ?? this;
  }

  own(name: string): Symbol | undefined {
    return this.names.get(name);
  }

  find(name: string): Symbol | undefined {
    return this.names.get(name) ?? this.parent?.find(name);
  }

  set(name: string, symbol: Symbol): void {
    this.names.set(name, symbol);
  }

  /** All names in scope, to suggest a similar one for an undeclared name. */
  allNames(): string[] {
    return [...this.names.keys(), ...(this.parent?.allNames() ?? [])];
  }
}

/** Returns a scope in which the type parameters stand for the given types. */
export function bindTypes(
  parent: Scope,
  parameters: readonly { readonly text: string }[],
  types: readonly Type[],
): Scope {
  const scope = new Scope(parent);
  for (const [at, { text }] of parameters.entries()) {
    const type = types[at];
    if (type) scope.set(text, { kind: 'type', type });
  }
  return scope;
}
