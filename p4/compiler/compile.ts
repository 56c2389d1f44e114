import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checkProgram } from './check/program.ts';
import { Diagnostics } from './diagnostics.ts';
import { generate } from './generate/program.ts';
import type { Program } from './ir.ts';
import { Cursor } from './parser/cursor.ts';
import { parseProgram } from './parser/declarations.ts';
import { preprocess } from './preprocessor.ts';
import type { IncludeResolver } from './preprocessor.ts';
import { SourceFile } from './source.ts';

export interface Compiled {
  readonly program: Program;
  /**
   * The body of a JavaScript function with the parameters `$rt`, `$in`, `$out` and `$bits`; empty if checking failed.
   */
  readonly javascript: string;
  readonly diagnostics: Diagnostics;
}

/** Compiles P4_16 source to JavaScript. Reports errors in the result's diagnostics. */
export function compile(file: SourceFile, includes: IncludeResolver = fileIncludes): Compiled {
  const diagnostics = new Diagnostics();
  const tokens = preprocess(file, includes, diagnostics);
  const declarations = parseProgram(new Cursor(tokens, diagnostics));
  const program = checkProgram(declarations, diagnostics);
  const javascript = diagnostics.failed ? '' : generate(program, diagnostics);
  return { program, javascript, diagnostics };
}

export function compileFile(path: string): Compiled {
  return compile(new SourceFile(path, readFileSync(path, 'utf8')));
}

const LIBRARY = join(import.meta.dirname, 'include');

/** Resolves `"x"` next to the including file, then in the library; `<x>` only in the library. */
export const fileIncludes: IncludeResolver = (name, system, from) => {
  const places = [...(system ? [] : [resolve(dirname(from), name)]), join(LIBRARY, name)];
  const path = places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile());
  return path === undefined ? undefined : new SourceFile(path, readFileSync(path, 'utf8'));
};
