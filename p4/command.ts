import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compileFile } from './compiler/compile.ts';
import type { Compiled } from './compiler/compile.ts';
import { UnsupportedCommand, runStf } from './stf.ts';

export const help = `
npm run p4 -- check FILE.p4              check a P4_16 program for v1model
npm run p4 -- stf FILE.p4 FILE.stf       run a test of the P4 compilers' simple test format
                                         exit status: 0 passed, 1 failed, 2 something is not supported
npm run p4 -- javascript FILE.p4         print the JavaScript that a program becomes
`;

/** Exit status of what is right but not supported. */
const UNSUPPORTED = 2;

export function main(args: string[]): void {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const [verb, ...files] = positionals;
  switch (verb) {
    case 'check': {
      check(files);
      return;
    }
    case 'stf': {
      stf(files);
      return;
    }
    case 'javascript': {
      const compiled = compileOrReport(file(files[0], 'FILE.p4'));
      if (compiled) process.stdout.write(compiled.javascript);
      return;
    }
    default:
      throw new Error(`unknown verb '${verb ?? ''}'; see npm run p4 -- --help`);
  }
}

function file(path: string | undefined, what: string): string {
  if (!path) throw new Error(`${what} is missing; see npm run p4 -- --help`);
  if (!existsSync(path)) throw new Error(`there is no file '${path}'`);
  return path;
}

/** Compiles; prints what is wrong and sets the exit status: 2 if the only thing wrong is what we do not have. */
function compileOrReport(path: string): Compiled | undefined {
  const compiled = compileFile(path);
  const { diagnostics } = compiled;
  if (diagnostics.list.length) console.error(diagnostics.render());
  if (!diagnostics.failed) return compiled;
  process.exitCode = diagnostics.errors.length ? 1 : UNSUPPORTED;
  return undefined;
}

function check(files: string[]): void {
  const path = file(files[0], 'FILE.p4');
  const compiled = compileOrReport(path);
  if (!compiled) return;
  const { tables, units } = compiled.program;
  console.log(`${path}: ok, ${units.length} parsers and controls, ${tables.length} tables`);
}

function stf(files: string[]): void {
  const program = file(files[0], 'FILE.p4');
  const test = file(files[1], 'FILE.stf');
  const compiled = compileOrReport(program);
  if (!compiled) return;
  try {
    const { passed, difference, warnings } = runStf(compiled, readFileSync(test, 'utf8'));
    for (const warning of warnings) console.error(`${test}: ${warning}`);
    console.log(passed ? 'PASS' : `FAIL ${difference ?? ''}`);
    if (!passed) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof UnsupportedCommand)) throw error;
    console.log(`not supported: ${error.message}`);
    process.exitCode = UNSUPPORTED;
  }
}
