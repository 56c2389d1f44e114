import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Snippet } from './read-snippets.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GIVEN = join(ROOT, 'tools/snippets/given.d.ts');

/** Compiler options of a fresh strict project that uses a bundler. */
const CONSUMER: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  // Needed if the plug-in's sources serve as its types. Errors in the sources themselves are not reported.
  allowImportingTsExtensions: true,
};

/**
 * Maps each entry in package.json's `exports` to its types: the types of the installed package, or the sources in this
 * repository.
 */
function entryTypes(installed: string | undefined): Record<string, string[]> {
  const folder = installed ?? ROOT;
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, string | { readonly import: { readonly types: string } }>;
  };
  return Object.fromEntries(
    Object.entries(exports).flatMap(([entry, target]) => {
      if (typeof target === 'string') return [];
      const { types } = target.import;
      const source = types.replace('./dist/types', './src').replace('.d.ts', '.ts');
      return [[entry.replace('.', name), [join(folder, installed === undefined ? source : types)]]];
    }),
  );
}

/**
 * Compiles TypeScript snippets, each as a separate module, in one program. `installed` is the folder of an installed
 * plug-in; without it, the plug-in's sources serve as its types. Returns the compiler's errors with their locations.
 */
export function compileSnippets(snippets: readonly Snippet[], installed?: string): string[] {
  const options = { ...CONSUMER, paths: entryTypes(installed) };
  // Place the snippets in the root, so that packages are found. Replace colons, which not every file system allows.
  const files = new Map(
    snippets.map((snippet) => [join(ROOT, `${snippet.where.replace(/[/:]/g, '-')}.ts`), snippet]),
  );
  /**
   * Returns the text of a snippet. `export {}` makes a snippet without imports a module, so that its names are its own.
   */
  const sourceText = (file: string): string | undefined =>
    files.has(file) ? `${files.get(file)?.code ?? ''}\nexport {};\n` : undefined;
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => files.has(file) || disk.fileExists(file),
    readFile: (file) => sourceText(file) ?? disk.readFile(file),
    getSourceFile(file, version, ...rest) {
      const text = sourceText(file);
      return text === undefined
        ? disk.getSourceFile(file, version, ...rest)
        : ts.createSourceFile(file, text, version);
    },
  };
  const program = ts.createProgram([GIVEN, ...files.keys()], options, host);
  return [...files].flatMap(([file, { where }]) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ start = 0, messageText }) => {
        const [, path = '', first = ''] = /^(.*):(\d+)$/.exec(where) ?? [];
        const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
        return `${path}:${Number(first) + line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
      },
    );
  });
}
