import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { compileSnippets } from './compile-snippets.ts';
import { readSnippets, type Snippet } from './read-snippets.ts';

const TYPESCRIPT = ['ts', 'typescript'];
const SHELL = ['sh', 'bash', 'shell'];

/**
 * Checks for snippets that are not compiled, by language. Each check returns the problems found. `folders` are the
 * repository's root and the folder of the markdown file.
 */
const CHECKS: Readonly<Record<string, (code: string, folders: readonly [string, string]) => string[]>> = {
  json(code) {
    try {
      JSON.parse(code);
      return [];
    } catch (error) {
      return [String(error)];
    }
  },
  html: (code) =>
    [...code.matchAll(/<script>(.*?)<\/script>/gs)].flatMap(([, script = '']) => syntaxErrors(script)),
  js: syntaxErrors,
  ...Object.fromEntries(SHELL.map((language) => [language, unknownNames])),
};

function syntaxErrors(script: string): string[] {
  const { diagnostics = [] } = ts.transpileModule(script, {
    reportDiagnostics: true,
    fileName: 'snippet.js',
  });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

/** Returns the npm scripts of a folder's package.json; none if there is no such file. */
function findScripts(folder: string): object {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return {};
  return (JSON.parse(readFileSync(file, 'utf8')) as { scripts?: object }).scripts ?? {};
}

/**
 * Returns the names in shell commands that do not exist: npm scripts that are neither in the root's package.json nor in
 * the one next to the file (as in an example), and scripts of the repository.
 */
function unknownNames(code: string, [root, own]: readonly [string, string]): string[] {
  const scripts = { ...findScripts(root), ...findScripts(own) };
  const named = [...code.matchAll(/\bnpm (?:run (?:-\S+ )*([\w:]+)|(start|test)\b)/g)].map(
    ([, script, itself]) => script ?? itself ?? '',
  );
  const started = [...code.matchAll(/\bnode --import tsx (\S+)/g)].map(([, file = '']) => file);
  return [
    ...named
      .filter((name) => !Object.hasOwn(scripts, name))
      .map((name) => `there is no npm script '${name}'`),
    ...started.filter((file) => !existsSync(join(root, file))).map((file) => `there is no file ${file}`),
  ];
}

/**
 * Checks the snippets of markdown files: TypeScript compiles in a fresh strict project, JSON, JavaScript and scripts in
 * HTML can be parsed, and npm scripts and files in shell commands exist. Other languages are not checked. Returns the
 * problems with their locations. `checked` is the number of checked snippets.
 */
export function checkSnippets(
  files: readonly string[],
  root: string,
  installed?: string,
): { readonly problems: string[]; readonly checked: number } {
  const snippets = readSnippets(files, root);
  const compiled = snippets.filter(({ language }) => TYPESCRIPT.includes(language));
  const others = snippets.filter(({ language }) => Object.hasOwn(CHECKS, language));
  const wrong = ({ where, language, code }: Snippet) =>
    (CHECKS[language]?.(code, [root, join(root, dirname(where))]) ?? []).map(
      (problem) => `${where}: ${problem}`,
    );
  return {
    problems: [...compileSnippets(compiled, installed), ...others.flatMap(wrong)],
    checked: compiled.length + others.length,
  };
}
