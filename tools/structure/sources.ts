import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
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

/** Lists the files of all workspaces whose path matches, as paths from the root, with slashes. */
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
