import type { Diagnostics } from '../diagnostics.ts';
import type { Expr, Program, Routine, Table, Unit, Variable } from '../ir.ts';
import { ClassWriter } from './classes.ts';
import { copyCode, isFixed } from './copies.ts';

/** State shared by the whole generated module. */
export class Module {
  readonly program: Program;
  readonly diagnostics: Diagnostics;
  /** Lines at the top of the module: classes, and variables that several functions use. */
  readonly head: string[] = [];
  readonly functions: string[] = [];
  readonly classes: ClassWriter;
  /**
   * Generates one expression. Injected to avoid circular imports: expressions consist of places, calls and externs,
   * which contain expressions.
   */
  readonly writeExpression: (b: Body, e: Expr) => string;
  private counter = 0;

  constructor(program: Program, diagnostics: Diagnostics, writeExpression: (b: Body, e: Expr) => string) {
    this.program = program;
    this.diagnostics = diagnostics;
    this.writeExpression = writeExpression;
    this.classes = new ClassWriter();
  }

  /** Returns a new name. It starts with `$`, unlike names from the program, so the two never collide. */
  unique(prefix: string): string {
    return `$${prefix}${++this.counter}`;
  }
}

/** Collects the lines of one generated function, in order of evaluation. */
export class Body {
  readonly module: Module;
  readonly lines: string[] = [];
  /** Labels of the enclosing loops, so that `break` inside a `switch` leaves the loop. */
  readonly loops: string[];

  constructor(module: Module, loops: string[] = []) {
    this.module = module;
    this.loops = loops;
  }

  line(text: string): void {
    this.lines.push(text);
  }

  /**
   * Returns the code of an expression. The caller must use the code exactly once. Side effects are written as lines
   * first.
   */
  expression(e: Expr): string {
    return this.module.writeExpression(this, e);
  }

  /**
   * Generates several expressions, evaluated from left to right (P4_16 §8.1). Saves earlier values that effects of
   * later expressions could change.
   */
  expressions(list: readonly Expr[]): string[] {
    const codes: string[] = [];
    for (const [at, e] of list.entries()) {
      const before = this.lines.length;
      const code = this.expression(e);
      if (this.lines.length > before) {
        const effects = this.lines.splice(before);
        for (let i = 0; i < at; i++) {
          const earlier = list[i];
          if (earlier && !isFixed(earlier)) codes[i] = this.spill(copyCode(earlier, codes[i] ?? ''));
        }
        this.lines.push(...effects);
      }
      codes.push(code);
    }
    return codes;
  }

  /** Returns the code of a value that is not shared with any variable. */
  fresh(e: Expr): string {
    return copyCode(e, this.expression(e));
  }

  /** Stores the value of the code in a constant, and returns the constant's name. */
  spill(code: string): string {
    const name = this.module.unique('t');
    this.line(`const ${name} = ${code};`);
    return name;
  }

  /** Generates the lines of a nested block, indented. */
  nested(write: (body: Body) => void, loops = this.loops): string[] {
    const body = new Body(this.module, loops);
    write(body);
    return body.lines.map((line) => `  ${line}`);
  }

  block(head: string, write: (body: Body) => void, tail = '}', loops = this.loops): void {
    this.lines.push(`${head} {`, ...this.nested(write, loops), tail);
  }

  /** Generates a block that `break` and `continue` of the loop `label` leave. */
  loop(label: string, head: string, write: (body: Body) => void): void {
    this.block(head, write, '}', [...this.loops, label]);
  }
}

export const variableName = (variable: Variable): string => `${variable.name}$${variable.id}`;
export const routineName = (routine: Routine): string => `${routine.kind}_${routine.name}$${routine.id}`;
export const unitName = (unit: Unit): string => `${unit.kind}$${unit.id}`;
export const tableName = (table: Table): string => `table$${table.id}`;
