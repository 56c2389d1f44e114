import type { Diagnostics } from '../diagnostics.ts';
import type { Expr, Program, Routine, Table, Unit, Variable } from '../ir.ts';
import { ClassWriter } from './classes.ts';
import { copied, isFixed } from './copies.ts';

/** State that the whole generated module shares. */
export class Module {
  readonly program: Program;
  readonly diagnostics: Diagnostics;
  /** Lines at the top of the module: variables that several functions see, and classes. */
  readonly head: string[] = [];
  readonly functions: string[] = [];
  readonly classes: ClassWriter;
  /**
   * Writes one expression. It is handed in, because expressions are made of places, calls and externs, which are made of
   * expressions: each of these asks its Body, and none imports the others' file.
   */
  readonly writeExpression: (b: Body, e: Expr) => string;
  private counter = 0;

  constructor(program: Program, diagnostics: Diagnostics, writeExpression: (b: Body, e: Expr) => string) {
    this.program = program;
    this.diagnostics = diagnostics;
    this.writeExpression = writeExpression;
    this.classes = new ClassWriter();
  }

  /** A name that nothing in the program has: the program's names begin with their name in P4. */
  unique(prefix: string): string {
    return `$${prefix}${++this.counter}`;
  }
}

/** The lines of one generated function, in the order in which they are evaluated. */
export class Body {
  readonly module: Module;
  readonly lines: string[] = [];
  /** Labels of the loops around, so that `break` inside a `switch` leaves the loop. */
  readonly loops: string[];

  constructor(module: Module, loops: string[] = []) {
    this.module = module;
    this.loops = loops;
  }

  line(text: string): void {
    this.lines.push(text);
  }

  /** The code of an expression, to be used exactly once; what has effects is written as lines before. */
  expression(e: Expr): string {
    return this.module.writeExpression(this, e);
  }

  /** Several expressions from left to right: what a later one's effects could change is put aside first (P4_16 §8.1). */
  expressions(list: readonly Expr[]): string[] {
    const codes: string[] = [];
    for (const [at, e] of list.entries()) {
      const before = this.lines.length;
      const code = this.expression(e);
      if (this.lines.length > before) {
        const effects = this.lines.splice(before);
        for (let i = 0; i < at; i++) {
          const earlier = list[i];
          if (earlier && !isFixed(earlier)) codes[i] = this.spill(copied(earlier, codes[i] ?? ''));
        }
        this.lines.push(...effects);
      }
      codes.push(code);
    }
    return codes;
  }

  /** The code of a value that nobody else holds. */
  fresh(e: Expr): string {
    return copied(e, this.expression(e));
  }

  /** Evaluates the code at this point into a constant, whose name it returns. */
  spill(code: string): string {
    const name = this.module.unique('t');
    this.line(`const ${name} = ${code};`);
    return name;
  }

  /** A nested block: what it writes is indented under this one. */
  nested(write: (body: Body) => void, loops = this.loops): string[] {
    const body = new Body(this.module, loops);
    write(body);
    return body.lines.map((line) => `  ${line}`);
  }

  block(head: string, write: (body: Body) => void, tail = '}'): void {
    this.lines.push(`${head} {`, ...this.nested(write), tail);
  }
}

export const variableName = (variable: Variable): string => `${variable.name}$${variable.id}`;
export const routineName = (routine: Routine): string => `${routine.kind}_${routine.name}$${routine.id}`;
export const unitName = (unit: Unit): string => `${unit.kind}$${unit.id}`;
export const tableName = (table: Table): string => `table$${table.id}`;
