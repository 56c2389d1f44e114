import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A fenced block of code in a markdown file. */
export interface Snippet {
  /** The location of the code's first line, `FILE:LINE`, with the path from the root. */
  readonly where: string;
  readonly language: string;
  readonly code: string;
}

const NOT_OURS = new Set(['node_modules', 'dist', 'test-results', '.vitepress', '.git', 'api']);

/** Returns all markdown files below a folder, except installed and generated files, such as docs/reference/api. */
export const markdownFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? markdownFiles(path) : entry.name.endsWith('.md') ? [path] : [];
  });

/**
 * Parses the fenced blocks of a markdown text, including those in lists. Ignores text after the language, such as
 * VitePress's line numbers. Throws an Error if a fence is not closed.
 */
export function parseSnippets(text: string, file: string): Snippet[] {
  const snippets: Snippet[] = [];
  let open: { indent: number; fence: string; language: string; line: number; code: string[] } | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, indent = '', fence = '', language = ''] = /^([ >]*)(`{3,}|~{3,})\s*([\w-]*)/.exec(line) ?? [];
    if (!open) {
      if (fence) open = { indent: indent.length, fence, language, line: index + 2, code: [] };
    } else if (fence.startsWith(open.fence) && /^[ >]*[`~]+\s*$/.test(line)) {
      const { language, line: first, code } = open;
      snippets.push({ where: `${file}:${first}`, language, code: code.join('\n') });
      open = undefined;
    } else open.code.push(line.slice(open.indent));
  }
  if (open) throw new Error(`${file}:${open.line - 1}: the block of code is not closed`);
  return snippets;
}

export const readSnippets = (files: readonly string[], root: string): Snippet[] =>
  files.flatMap((file) =>
    parseSnippets(readFileSync(file, 'utf8'), relative(root, file).replaceAll('\\', '/')),
  );
