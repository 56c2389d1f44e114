/*
 * The intermediate representation (IR): the program after checking. Names are resolved, every expression has a type,
 * implicit casts are explicit, constants are folded, and generics and constructor parameters are expanded. A control
 * that is instantiated twice appears twice. The generator translates the IR without further analysis.
 */
import type { BinaryOperator, Direction, UnaryOperator } from './ast.ts';
import type { Type } from './check/types.ts';
import type { Span } from './source.ts';

export interface Variable {
  readonly id: number;
  readonly name: string;
  readonly type: Type;
  /**
   * Whether several generated functions use the variable. True for a control's local variable and for a parameter that
   * calls copy in and out.
   */
  readonly shared: boolean;
}

export interface Argument {
  /** Undefined for an ignored `out` argument (`_`). */
  readonly value: Expr | undefined;
  /**
   * The argument's position in the call. Named arguments are evaluated in the order of the call, not of the parameters.
   */
  readonly place?: number;
}

interface Typed {
  readonly type: Type;
  readonly span: Span;
}

/** The built-in methods of headers, unions and stacks. */
export type Builtin = 'isValid' | 'setValid' | 'setInvalid' | 'push_front' | 'pop_front';

export type Expr = Typed &
  (
    | { readonly op: 'int'; readonly value: bigint }
    | { readonly op: 'bool'; readonly value: boolean }
    | { readonly op: 'string'; readonly value: string }
    | { readonly op: 'variable'; readonly variable: Variable }
    | { readonly op: 'field'; readonly base: Expr; readonly field: string }
    | { readonly op: 'element'; readonly base: Expr; readonly index: Expr }
    | {
        readonly op: 'stack';
        readonly base: Expr;
        readonly what: 'next' | 'last' | 'lastIndex' | 'nextIndex';
      }
    | { readonly op: 'slice'; readonly base: Expr; readonly high: number; readonly low: number }
    | { readonly op: 'unary'; readonly operator: UnaryOperator; readonly operand: Expr }
    | { readonly op: 'binary'; readonly operator: BinaryOperator; readonly left: Expr; readonly right: Expr }
    | { readonly op: 'conditional'; readonly condition: Expr; readonly then: Expr; readonly otherwise: Expr }
    | { readonly op: 'cast'; readonly operand: Expr }
    | { readonly op: 'aggregate'; readonly parts: readonly Expr[] }
    | { readonly op: 'default' }
    | { readonly op: 'call'; readonly routine: Routine; readonly args: readonly Argument[] }
    | { readonly op: 'extern'; readonly name: string; readonly args: readonly Argument[] }
    | {
        readonly op: 'method';
        readonly object: ExternObject;
        readonly name: string;
        readonly args: readonly Argument[];
      }
    | { readonly op: 'builtin'; readonly name: Builtin; readonly base: Expr; readonly count: number }
    | {
        readonly op: 'extract';
        readonly header: Expr | undefined;
        readonly headerType: Type;
        readonly size: Expr | undefined;
      }
    | { readonly op: 'lookahead' }
    | { readonly op: 'advance'; readonly bits: Expr }
    | { readonly op: 'packetLength' }
    | { readonly op: 'emit'; readonly value: Expr }
    | { readonly op: 'apply'; readonly table: Table; readonly result: 'hit' | 'miss' | 'action_run' | 'none' }
    | { readonly op: 'invoke'; readonly unit: Unit; readonly args: readonly Argument[] }
    | { readonly op: 'object'; readonly object: ExternObject }
  );

export type Stmt =
  | { readonly op: 'declare'; readonly variable: Variable; readonly init: Expr | undefined }
  | { readonly op: 'assign'; readonly target: Expr; readonly value: Expr }
  | { readonly op: 'run'; readonly expr: Expr }
  | { readonly op: 'block'; readonly body: Stmt[] }
  | { readonly op: 'if'; readonly condition: Expr; readonly then: Stmt[]; readonly otherwise: Stmt[] }
  | { readonly op: 'switch'; readonly subject: Expr; readonly cases: Case[] }
  | {
      readonly op: 'for';
      readonly init: Stmt[];
      readonly condition: Expr;
      readonly update: Stmt[];
      readonly body: Stmt[];
    }
  | {
      readonly op: 'forIn';
      readonly variable: Variable;
      readonly elements: readonly Expr[];
      readonly body: Stmt[];
    }
  | {
      readonly op: 'forRange';
      readonly variable: Variable;
      readonly low: Expr;
      readonly high: Expr;
      readonly body: Stmt[];
    }
  | { readonly op: 'return'; readonly value: Expr | undefined }
  | { readonly op: 'exit' | 'break' | 'continue' };

export interface Case {
  /** The labels of a case: constants, or indices of actions in the table; undefined for `default`. */
  readonly labels: readonly (Expr | number | undefined)[];
  readonly body: Stmt[];
}

export interface Parameter {
  readonly direction: Direction;
  readonly variable: Variable;
  /** The control-plane name. */
  readonly label: string;
  /** The default value, for calls that omit the argument. */
  readonly fallback: Expr | undefined;
}

/** An action or function. */
export interface Routine {
  readonly id: number;
  readonly kind: 'action' | 'function';
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly returns: Type;
  body: Stmt[];
  /** Whether the routine may `exit`. Its `out` arguments must then be copied out on this path too (P4_16 §12.5). */
  exits: boolean;
}

/** The match of an entry on one key. */
export type KeyMatch =
  | { readonly kind: 'value'; readonly value: bigint }
  | { readonly kind: 'mask'; readonly value: bigint; readonly mask: bigint }
  | { readonly kind: 'range'; readonly low: bigint; readonly high: bigint }
  | { readonly kind: 'any' };

export type MatchKind = 'exact' | 'lpm' | 'ternary' | 'range' | 'optional' | 'selector';

export interface TableAction {
  readonly routine: Routine;
  /** The control-plane name. */
  readonly name: string;
  /** Arguments that the program binds in the table's action list. The entry supplies the others. */
  readonly bound: readonly Argument[];
  readonly data: readonly Parameter[];
  readonly defaultOnly: boolean;
  readonly tableOnly: boolean;
}

export interface TableCall {
  readonly action: number;
  readonly args: readonly bigint[];
}

export interface TableEntry {
  readonly keys: readonly KeyMatch[];
  readonly call: TableCall;
  readonly priority: number | undefined;
}

export interface Table {
  readonly id: number;
  readonly name: string;
  readonly keys: readonly {
    readonly expr: Expr;
    readonly match: MatchKind;
    readonly name: string;
    /** The name that the key would have without its annotation. */
    readonly written: string;
    readonly width: number;
  }[];
  readonly actions: readonly TableAction[];
  readonly defaultCall: TableCall;
  readonly constantDefault: boolean;
  readonly constantEntries: boolean;
  readonly entries: readonly TableEntry[];
  readonly largestPriorityWins: boolean;
  readonly size: number | undefined;
  readonly objects: readonly ExternObject[];
  exits: boolean;
}

export interface ExternObject {
  readonly id: number;
  readonly className: string;
  readonly name: string;
  readonly typeArgs: readonly Type[];
  readonly args: readonly Expr[];
}

export interface ValueSet {
  readonly id: number;
  readonly name: string;
  readonly types: readonly Type[];
}

export type Keyset =
  | { readonly kind: 'value'; readonly value: Expr }
  | { readonly kind: 'mask'; readonly value: Expr; readonly mask: Expr }
  | { readonly kind: 'range'; readonly low: Expr; readonly high: Expr }
  | { readonly kind: 'set'; readonly set: ValueSet }
  | { readonly kind: 'any' };

export const ACCEPT = -1;
export const REJECT = -2;

export interface State {
  readonly name: string;
  body: Stmt[];
  transition: { keys: Expr[]; cases: { sets: Keyset[]; to: number }[] };
}

interface UnitBase {
  readonly id: number;
  readonly name: string;
  readonly parameters: Parameter[];
  readonly locals: Stmt[];
}

export interface ParserUnit extends UnitBase {
  readonly kind: 'parser';
  readonly states: State[];
}

export interface ControlUnit extends UnitBase {
  readonly kind: 'control';
  body: Stmt[];
  exits: boolean;
}

/** An instance of a parser or control. */
export type Unit = ParserUnit | ControlUnit;

export interface Program {
  readonly routines: Routine[];
  readonly units: Unit[];
  readonly tables: Table[];
  readonly objects: ExternObject[];
  readonly valueSets: ValueSet[];
  readonly errors: string[];
  readonly package: { readonly name: string; readonly args: Unit[] };
}
