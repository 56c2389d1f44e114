import type { Latest } from './choose-parts.ts';
import type { Part } from './part.ts';

/** The page's table is between these two lines. */
const [BEGIN, END] = ['<!-- latest runs -->', '<!-- end of latest runs -->'];
const HEADER = ['part', 'day', 'commit', 'passed/failed/skipped', 's', 'load'];

const cells = ({ name }: Part, latest: Latest): string[] => {
  const run = latest.get(name);
  if (!run) return [name, '', '', 'not run', '', ''];
  const { at, commit, hasChanges, passed, failed, skipped, seconds, load, hung } = run;
  return [
    name,
    at.slice(0, 10),
    hasChanges ? `${commit}+` : commit,
    hung ? 'hung' : [passed, failed, skipped].join('/'),
    seconds.toFixed(0),
    load.toFixed(1),
  ];
};

/** Formats a Markdown table of each part's latest run, in `oxfmt`'s format. */
export function formatTable(parts: readonly Part[], latest: Latest): string {
  const rows = [HEADER, ...parts.map((part) => cells(part, latest))];
  const widths = HEADER.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], filler = ' ') =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width, filler)).join(' | ')} |`;
  const [header = [], ...others] = rows;
  return [line(header), line([], '-'), ...others.map((row) => line(row))].join('\n');
}

/** Replaces the table in a page. */
export function replaceTable(page: string, table: string): string {
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`the page has no lines '${BEGIN}' and '${END}'`);
  return `${page.slice(0, before + BEGIN.length)}\n\n${table}\n\n${page.slice(after)}`;
}
