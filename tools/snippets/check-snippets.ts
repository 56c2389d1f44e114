import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { compileSnippets } from './compile-snippets.ts';
import { readSnippets, type Snippet } from './read-snippets.ts';

const TYPESCRIPT = ['ts', 'typescript'];
const SHELL = ['sh', 'bash', 'shell'];

/** What is wrong with a snippet that no compiler has to look at. */
const CHECKS: Readonly<Record<string, (code: string, root: string) => string[]>> = {
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

/** Of shell commands: npm scripts that package.json does not have, and scripts of the repository that are not there. */
function unknownNames(code: string, root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
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
 * Checks the snippets of markdown files: TypeScript compiles in a fresh strict project, JSON and scripts in HTML can be
 * parsed, and the npm scripts that a shell is given exist. Other languages are left to who runs them. Returns what is
 * wrong, each with its place; `checked` counts the snippets of these languages.
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
    (CHECKS[language]?.(code, root) ?? []).map((problem) => `${where}: ${problem}`);
  return {
    problems: [...compileSnippets(compiled, installed), ...others.flatMap(wrong)],
    checked: compiled.length + others.length,
  };
}
