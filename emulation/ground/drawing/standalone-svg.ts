import { readFileSync } from 'node:fs';
import { legendMark } from './legend-mark.ts';
import type { Look } from './palette.ts';
import { html, type Markup } from './html.ts';

const page = readFileSync(new URL('./style.css', import.meta.url), 'utf8');
/** The page's color variables for the light theme, such as `--arm-0: #59636e;`. */
const colors = (page.split('@media', 1)[0] ?? '').match(/--[\w-]+:\s*[^;]+;/g) ?? [];

const LEGEND_PX = 24;
/** The width of a mark with its gap, in the legend. */
const MARK_PX = 18;
/** The width of an average letter at 12 px. */
const LETTER_PX = 7;

/**
 * Converts a chart of the report to a file of its own, in the light theme and with the legend above the chart. Returns
 * undefined if the chart is not a single SVG.
 */
export function standaloneSvg({ text }: Markup, legend: readonly Look[] = []): string | undefined {
  const start = text.indexOf('<svg');
  const end = text.lastIndexOf('</svg>');
  if (start < 0 || end < 0) return undefined;
  const svg = text.slice(start, end);
  const open = svg.indexOf('>') + 1;
  // A separate file has no page from which to inherit the font.
  const head = svg.slice(0, open).replace('font-family: inherit', 'font-family: system-ui, sans-serif');
  const named = head.includes('xmlns=')
    ? head
    : head.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
  const style = `<style>:root{${colors.join('')}color:var(--text);font-family:system-ui,sans-serif}</style>`;
  const page = '<rect width="100%" height="100%" fill="var(--page)"/>';
  // Two decimals of a pixel are enough for a line of thousands of points.
  const chart = svg.slice(open).replace(/ d="[^"]*"/g, (path) => path.replace(/(\.\d\d)\d+/g, '$1'));
  return legend.length === 0
    ? `${named}${style}${page}${chart}</svg>\n`
    : `${taller(named)}${style}${page}${legendRow(legend)}<g transform="translate(0 ${LEGEND_PX})">${chart}</g></svg>\n`;
}

const taller = (head: string): string =>
  head
    .replace(/ height="(\d+)"/, (_, height) => ` height="${Number(height) + LEGEND_PX}"`)
    .replace(/(viewBox="0 0 \d+ )(\d+)"/, (_, before, height) => `${before}${Number(height) + LEGEND_PX}"`);

function legendRow(legend: readonly Look[]): string {
  let x = 8;
  return legend
    .map((look) => {
      const at = x;
      x += MARK_PX + (look.name.length + 2) * LETTER_PX;
      const mark = `<g transform="translate(${at} 5)">${legendMark(look).text}</g>`;
      return `${mark}<text x="${at + MARK_PX}" y="16" text-anchor="start">${html`${look.name}`.text}</text>`;
    })
    .join('');
}
