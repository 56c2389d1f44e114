/* The syntax tree, which follows the grammar of P4_16 (appendix G). */
import type { Span } from './source.ts';
import type { IntegerLiteral, Token } from './token.ts';

export interface Name {
  readonly text: string;
  readonly span: Span;
}

export interface Annotation {
  readonly name: string;
  readonly body: Token[];
  readonly span: Span;
}

export type TypeNode = { readonly span: Span } & (
  | { kind: 'base'; name: 'bool' | 'error' | 'string' | 'void' | 'match_kind' | 'int' }
  | { kind: 'sized'; name: 'bit' | 'int' | 'varbit'; width: Expression }
  | { kind: 'named'; name: Name; global: boolean; args: TypeNode[] }
  | { kind: 'stack'; element: TypeNode; size: Expression }
  | { kind: 'tuple'; elements: TypeNode[] }
  | { kind: 'list'; element: TypeNode }
  | { kind: 'any' }
);

export type UnaryOperator = '!' | '~' | '-' | '+';
export type ArithmeticOperator = '*' | '/' | '%' | '+' | '-' | '|+|' | '|-|' | '<<' | '>>' | '&' | '|' | '^';
export type BinaryOperator = ArithmeticOperator | '++' | '&&' | '||' | '==' | '!=' | '<' | '<=' | '>' | '>=';

export interface Argument {
  readonly name: Name | undefined;
  /** Undefined for `_`, which ignores an `out` argument. */
  readonly value: Expression | undefined;
  readonly span: Span;
}

export type Expression = { readonly span: Span } & (
  | { kind: 'integer'; literal: IntegerLiteral }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'string'; value: string }
  | { kind: 'name'; name: string; global: boolean }
  | { kind: 'this' }
  | { kind: 'typed'; type: TypeNode }
  | { kind: 'member'; base: Expression; member: Name }
  | { kind: 'index'; base: Expression; index: Expression }
  | { kind: 'slice'; base: Expression; high: Expression; low: Expression }
  /** `x[low +: width]`. */
  | { kind: 'part'; base: Expression; low: Expression; width: Expression }
  | { kind: 'list'; elements: Expression[] }
  | { kind: 'record'; fields: { name: Name; value: Expression }[]; rest: boolean }
  | { kind: 'rest' }
  | { kind: 'invalid' }
  | { kind: 'unary'; operator: UnaryOperator; operand: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'conditional'; condition: Expression; then: Expression; otherwise: Expression }
  | { kind: 'cast'; type: TypeNode; operand: Expression }
  | { kind: 'call'; callee: Expression; typeArgs: TypeNode[] | undefined; args: Argument[] }
  | { kind: 'mask'; value: Expression; mask: Expression }
  | { kind: 'range'; low: Expression; high: Expression }
  /** `default` or `_` in a key set: matches everything. */
  | { kind: 'any' }
);

export type Statement = { readonly span: Span } & (
  | { kind: 'block'; statements: Statement[] }
  | { kind: 'assign'; target: Expression; operator: ArithmeticOperator | undefined; value: Expression }
  | { kind: 'call'; call: Expression }
  | { kind: 'if'; condition: Expression; then: Statement; otherwise: Statement | undefined }
  | { kind: 'switch'; subject: Expression; cases: SwitchCase[] }
  | { kind: 'for'; init: Statement[]; condition: Expression; update: Statement[]; body: Statement }
  | { kind: 'forIn'; type: TypeNode; name: Name; collection: Expression; body: Statement }
  | { kind: 'return'; value: Expression | undefined }
  | { kind: 'exit' }
  | { kind: 'break' }
  | { kind: 'continue' }
  | { kind: 'empty' }
  | { kind: 'variable'; type: TypeNode; name: Name; init: Expression | undefined; annotations: Annotation[] }
  | { kind: 'constant'; type: TypeNode; name: Name; value: Expression }
);

export interface SwitchCase {
  /** Undefined for `default`. */
  readonly label: Expression | undefined;
  /** Undefined if the label falls through to the next case. */
  readonly body: Statement | undefined;
  readonly span: Span;
}

export type Direction = 'in' | 'out' | 'inout' | 'none';

export interface Parameter {
  readonly direction: Direction;
  readonly type: TypeNode;
  readonly name: Name;
  readonly fallback: Expression | undefined;
  readonly annotations: Annotation[];
}

interface Declared {
  readonly span: Span;
  readonly name: Name;
  readonly annotations: Annotation[];
}

export interface Field {
  readonly type: TypeNode;
  readonly name: Name;
  readonly annotations: Annotation[];
}

export interface FunctionPrototype {
  readonly name: Name;
  readonly returns: TypeNode | undefined;
  readonly typeParameters: Name[];
  readonly parameters: Parameter[];
  readonly span: Span;
}

export interface Instantiation extends Declared {
  readonly kind: 'instance';
  readonly type: TypeNode;
  readonly args: Argument[];
  readonly hasBody: boolean;
}

export interface ActionDeclaration extends Declared {
  readonly kind: 'action';
  readonly parameters: Parameter[];
  readonly body: Statement;
}

export interface FunctionDeclaration extends Declared {
  readonly kind: 'function';
  readonly prototype: FunctionPrototype;
  readonly body: Statement;
}

export interface ValueSetDeclaration extends Declared {
  readonly kind: 'valueSet';
  readonly type: TypeNode;
  readonly size: Expression;
}

export interface TableEntry {
  readonly constant: boolean;
  readonly priority: Expression | undefined;
  readonly keys: Expression[];
  readonly action: Expression;
  readonly annotations: Annotation[];
  readonly span: Span;
}

export interface TableKey {
  readonly expression: Expression;
  readonly match: Name;
  readonly annotations: Annotation[];
}

export interface TableDeclaration extends Declared {
  readonly kind: 'table';
  readonly keys: TableKey[];
  readonly actions: { action: Expression; annotations: Annotation[] }[];
  readonly entries: { list: TableEntry[]; constant: boolean } | undefined;
  readonly properties: { name: Name; value: Expression; constant: boolean }[];
}

export interface Transition {
  readonly span: Span;
  readonly to: Name | { select: Expression[]; cases: { keys: Expression[]; state: Name; span: Span }[] };
}

export interface ParserState extends Declared {
  readonly statements: Statement[];
  readonly transition: Transition | undefined;
}

export type LocalDeclaration =
  | Statement
  | Instantiation
  | ActionDeclaration
  | TableDeclaration
  | ValueSetDeclaration;

export interface ParserDeclaration extends Declared {
  readonly kind: 'parser';
  readonly typeParameters: Name[];
  readonly parameters: Parameter[];
  readonly constructorParameters: Parameter[];
  readonly locals: LocalDeclaration[];
  /** Undefined for a parser type declaration. */
  readonly states: ParserState[] | undefined;
}

export interface ControlDeclaration extends Declared {
  readonly kind: 'control';
  readonly typeParameters: Name[];
  readonly parameters: Parameter[];
  readonly constructorParameters: Parameter[];
  readonly locals: LocalDeclaration[];
  /** Undefined for a control type declaration. */
  readonly body: Statement | undefined;
}

export interface StructDeclaration extends Declared {
  readonly kind: 'struct' | 'header' | 'header_union';
  readonly typeParameters: Name[];
  readonly fields: Field[];
}

export interface EnumDeclaration extends Declared {
  readonly kind: 'enum';
  readonly underlying: TypeNode | undefined;
  readonly members: { name: Name; value: Expression | undefined }[];
}

export interface TypedefDeclaration extends Declared {
  readonly kind: 'typedef';
  /** Whether it is a `type`, which makes a distinct type, rather than a `typedef`, which makes an alias. */
  readonly distinct: boolean;
  readonly type: TypeNode | StructDeclaration | EnumDeclaration;
}

export interface ExternDeclaration extends Declared {
  readonly kind: 'extern';
  readonly typeParameters: Name[];
  readonly constructors: FunctionPrototype[];
  readonly methods: FunctionPrototype[];
}

export interface ExternFunctionDeclaration extends Declared {
  readonly kind: 'externFunction';
  readonly prototype: FunctionPrototype;
}

export interface PackageDeclaration extends Declared {
  readonly kind: 'package';
  readonly typeParameters: Name[];
  readonly parameters: Parameter[];
}

export interface NamesDeclaration {
  readonly kind: 'error' | 'match_kind';
  readonly names: Name[];
  readonly span: Span;
}

export type Declaration =
  | { kind: 'constant'; type: TypeNode; name: Name; value: Expression; span: Span }
  | NamesDeclaration
  | Instantiation
  | ActionDeclaration
  | FunctionDeclaration
  | ParserDeclaration
  | ControlDeclaration
  | StructDeclaration
  | EnumDeclaration
  | TypedefDeclaration
  | ExternDeclaration
  | ExternFunctionDeclaration
  | PackageDeclaration;
