import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMarkdownRenderer } from 'vitepress';
import { API, COMMANDS_PAGE, DOCS, METRICS_PAGE } from './pages.ts';

/** A rendered page. */
export interface Page {
  /** The file's path from `DOCS`, with slashes. */
  readonly file: string;
  /** The targets of the links and images, as written. */
  readonly targets: readonly string[];
  /** The anchors of its headings. */
  readonly anchors: ReadonlySet<string>;
  /** The number of words and numbers outside code blocks and diagrams. */
  readonly words: number;
}

/** Returns a function that renders a page with VitePress and reads the result. */
export async function pageReader(): Promise<(file: string, text: string) => Page> {
  const renderer = await createMarkdownRenderer(DOCS, { highlight: (code) => code }, '/');
  return (file, text) => {
    const body = text.replace(/^---\n[\s\S]*?\n---\n/, '');
    const html = renderer.render(body, { path: join(DOCS, file), relativePath: file, cleanUrls: true });
    const readable = html
      .replace(/<a class="header-anchor"[\s\S]*?<\/a>/g, '')
      .replace(/<pre[\s\S]*?<\/pre>|<svg[\s\S]*?<\/svg>|<!--[\s\S]*?-->|<[^>]+>/g, ' ');
    return {
      file,
      targets: [...html.matchAll(/<(?:a|img)\b[^>]*?\b(?:href|src)="([^"]*)"/g)]
        .map(([, target = '']) => decodeURI(target.replaceAll('&amp;', '&')))
        // Ignore a heading's link to itself.
        .filter(
          (target) => !target.startsWith('#') || !html.includes(`class="header-anchor" href="${target}"`),
        ),
      anchors: new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id)),
      words: readable.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
    };
  };
}

/** Returns the hand-written pages of the site, as paths from `DOCS`. */
export const writtenPages = (): string[] =>
  readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md') && !file.startsWith(`${API}/`) && !file.startsWith('.vitepress/'))
    .filter((file) => file !== COMMANDS_PAGE && file !== METRICS_PAGE)
    .sort();

export const readPage = (file: string): string => readFileSync(join(DOCS, file), 'utf8');
