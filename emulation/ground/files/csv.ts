import { writeFile } from 'node:fs/promises';

type Cell = string | number | null;

/** Formats numbers with at most three decimals. */
const printed = (cell: Cell): string =>
  cell === null ? '' : typeof cell === 'number' ? String(Math.round(cell * 1000) / 1000) : cell;

/** Writes a table; null becomes an empty cell. */
export const writeCsv = (
  file: string,
  header: readonly string[],
  rows: Iterable<readonly Cell[]>,
): Promise<void> =>
  writeFile(file, [header, ...rows].map((row) => row.map(printed).join(',')).join('\n') + '\n');

/** Writes records, whose fields become the columns. Without rows, the only column is `t_s`. */
export async function writeTable(file: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? { t_s: 0 });
  await writeCsv(
    file,
    columns,
    rows.map((row) => columns.map((column) => (row as Record<string, Cell>)[column] ?? null)),
  );
}
