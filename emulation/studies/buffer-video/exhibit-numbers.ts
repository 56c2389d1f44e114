import type { Numbers } from '../paper/claims/value.ts';
import type { FigureNumbers } from './figures.ts';
import type { SiteName, TableMetric, TableRow } from './sites.ts';
import type { MeasuredRow } from './table.ts';

/** The results of one arm that are compared with the thesis. */
export interface ArmNumbers {
  readonly arm: string;
  readonly rows: readonly MeasuredRow[];
  readonly numbers: FigureNumbers;
}

/**
 * The format of `exhibits.json`: the gallery's numbers to one decimal, by the names of `rowName` and of
 * `FigureNumbers`.
 */
export type ExhibitNumbers = Readonly<Record<string, Numbers>>;

/** Names a number of the table by its pair of buffers and its metric. */
export const rowName = (
  { site, a_mb, b_mb }: { readonly site: SiteName } & Pick<TableRow, 'a_mb' | 'b_mb'>,
  metric: TableMetric,
): string => `${site}, ${a_mb} for ${b_mb}: ${metric}`;

/** Returns the numbers of the first arm, because only this arm is compared with the thesis. */
export function exhibitNumbers([first]: readonly ArmNumbers[]): ExhibitNumbers {
  if (!first) return {};
  const rows = first.rows.flatMap((row) =>
    Object.entries(row.changes).map(([metric, { change_pct, interval_pct }]) => [
      rowName(row, metric as TableMetric),
      interval_pct
        ? ([round(change_pct), round(interval_pct[0]), round(interval_pct[1])] as const)
        : round(change_pct),
    ]),
  );
  const figures = Object.entries(first.numbers).flatMap(([name, spread]) =>
    spread ? [[name, [round(spread[0]), round(spread[1]), round(spread[2])] as const]] : [],
  );
  return Object.fromEntries([...rows, ...figures]) as ExhibitNumbers;
}

const round = (value: number): number => Math.round(10 * value) / 10;
