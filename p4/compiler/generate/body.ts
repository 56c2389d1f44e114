import type { Diagnostics } from '../diagnostics.ts';
import type { Program, Routine, Table, Unit, Variable } from '../ir.ts';
import { ClassWriter } from './classes.ts';

/** What all of the generated module shares. */
export class Module {
  readonly program: Program;
  readonly diagnostics: Diagnostics;
  /** Lines at the top of the module: variables that several functions see, and classes. */
  readonly head: string[] = [];
  readonly functions: string[] = [];
  readonly classes: ClassWriter;
  private counter = 0;

  constructor(program: Program, diagnostics: Diagnostics) {
    this.program = program;
    this.diagnostics = diagnostics;
    this.classes = new ClassWriter();
  }

  /** A name that nothing of the program has: those begin with what P4 calls them. */
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

  /** Evaluates now what would otherwise be evaluated later. */
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
