import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ROOMS = [
  'src',
  'edge',
  'media',
  'emulation',
  'buffers',
  'analysis',
  'transport',
  'p4',
  'system',
  'tools',
  'demo',
  'bench',
  'e2e',
  'docs/.vitepress',
];
const NOT_OURS = new Set(['node_modules', 'dist', 'bin', 'pkg']);

/** A TypeScript file of the repository, parsed. */
export interface Source {
  /** The path from the root, with slashes. */
  readonly path: string;
  readonly tree: ts.SourceFile;
}

/** Reads every TypeScript source of every workspace, without tests and declarations. */
export const readSources = (): Source[] => listFiles(/(?<!\.(test|spec|d))\.ts$/).map(parseSource);

/** The files of every workspace whose path matches, as paths from the root, with slashes. */
export const listFiles = (pattern: RegExp): string[] =>
  ROOMS.flatMap((room) => filesUnder(join(ROOT, room)))
    .map((file) => relative(ROOT, file).replaceAll('\\', '/'))
    .filter((path) => pattern.test(path));

/** Reads a file by its path from the root. */
export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Parses a TypeScript file by its path from the root. */
export const parseSource = (path: string): Source => ({
  path,
  tree: ts.createSourceFile(path, readText(path), ts.ScriptTarget.Latest, true),
});

const filesUnder = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !NOT_OURS.has(name))
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesUnder(path) : [path]));

/** The files that a source imports or exports from, including types, without dynamic imports. */
export function listImports({ path, tree }: Source): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const from =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : undefined;
    if (from && ts.isStringLiteral(from) && from.text.startsWith('.'))
      found.push(posix.join(dirname(path), from.text));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The packages of npm that a file loads, and every file that it loads, when it is loaded itself; types are none. */
export function packagesLoadedBy(file: string, sources: ReadonlyMap<string, Source>): string[] {
  const [seen, packages] = [new Set<string>(), new Set<string>()];
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const node of sources.get(path)?.tree.statements ?? []) {
      if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) continue;
      const onlyTypes = ts.isExportDeclaration(node)
        ? node.isTypeOnly
        : node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
      if (onlyTypes || !node.moduleSpecifier || !ts.isStringLiteral(node.moduleSpecifier)) continue;
      const from = node.moduleSpecifier.text;
      if (from.startsWith('.')) visit(posix.join(dirname(path), from));
      else if (!from.startsWith('node:')) packages.add(from);
    }
  };
  visit(file);
  return [...packages];
}

/** Groups of files that import each other, directly or through others (Tarjan 1972); each group is sorted. */
export function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const place = order.size;
    order.set(file, place);
    stack.push(file);
    let low = place;
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low);
    }
    lowest.set(file, low);
    if (low === place) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1 || imports.get(file)?.includes(file)) circles.push(group.sort());
    }
    return low;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

/** All functions with their numbers of lines. Nested functions also count toward the outer function. */
export function listFunctions({ path, tree }: Source): { readonly where: string; readonly lines: number }[] {
  const found: { where: string; lines: number }[] = [];
  const lineNumber = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = lineNumber(node.getStart());
      found.push({ where: `${path}:${first}`, lines: lineNumber(node.getEnd()) - first + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
