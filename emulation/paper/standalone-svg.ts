import { readFileSync } from 'node:fs';
import type { Markup } from '../report/page/html.ts';

const page = readFileSync(new URL('../report/page/style.css', import.meta.url), 'utf8');
/** `--arm-0: #59636e;` and its like, as the page has them by day. */
const colors = (page.split('@media', 1)[0] ?? '').match(/--[\w-]+:\s*[^;]+;/g) ?? [];

/** A chart of the report as a file of its own, in the page's colors by day; undefined of what is no single SVG. */
export function standaloneSvg({ text }: Markup): string | undefined {
  const start = text.indexOf('<svg');
  const end = text.lastIndexOf('</svg>');
  if (start < 0 || end < 0) return undefined;
  const svg = text.slice(start, end + '</svg>'.length);
  const style = `<style>:root{${colors.join('')}color:var(--text);font-family:system-ui,sans-serif}</style>`;
  const open = svg.indexOf('>') + 1;
  const head = svg.slice(0, open);
  const named = head.includes('xmlns=')
    ? head
    : head.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
  return `${named}${style}<rect width="100%" height="100%" fill="var(--page)"/>${svg.slice(open)}\n`;
}
