import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Declaration } from '../compiler/ast.ts';
import { fileIncludes } from '../compiler/compile.ts';
import { Diagnostics } from '../compiler/diagnostics.ts';
import { Cursor } from '../compiler/parser/cursor.ts';
import { parseProgram } from '../compiler/parser/declarations.ts';
import { preprocess } from '../compiler/preprocessor.ts';
import { SourceFile } from '../compiler/source.ts';
import { EXTERN_CLASSES, EXTERN_FUNCTIONS } from './registry.ts';

/**
 * Returns the externs that the compiler's library declares: v1model.p4, which includes core.p4. `version` selects one
 * of v1model's two forms.
 */
function declarations(version: string): Declaration[] {
  const path = new URL('../compiler/include/v1model.p4', import.meta.url).pathname;
  const diagnostics = new Diagnostics();
  const text = `#define V1MODEL_VERSION ${version}\n${readFileSync(path, 'utf8')}`;
  const tokens = preprocess(new SourceFile(path, text), fileIncludes, diagnostics);
  const parsed = parseProgram(new Cursor(tokens, diagnostics));
  expect(diagnostics.failed).toBe(false);
  return parsed;
}

/** Whether an extern is built into the language. compiler/check/builtins.ts has the methods of these two. */
const ofTheLanguage = (name: string): boolean => name === 'packet_in' || name === 'packet_out';

it.each(['20180101', '20200408'])(
  'every extern that the library declares has its entry, and no other: %s',
  (version) => {
    const declared = declarations(version);
    const functions = declared.flatMap((node) => (node.kind === 'externFunction' ? [node.name.text] : []));
    expect(new Set(functions)).toEqual(new Set(EXTERN_FUNCTIONS.keys()));
    const classes = declared.flatMap((node) =>
      node.kind === 'extern' && !ofTheLanguage(node.name.text) ? [node] : [],
    );
    expect(new Set(classes.map(({ name }) => name.text))).toEqual(new Set(EXTERN_CLASSES.keys()));
    for (const { name, methods } of classes) {
      const written = Object.keys(EXTERN_CLASSES.get(name.text)?.methods ?? {});
      expect(new Set(written), name.text).toEqual(new Set(methods.map(({ name: method }) => method.text)));
    }
  },
);
