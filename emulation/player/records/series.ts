import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mean } from '../../ground/statistics/bootstrap.ts';
import { groupBy } from '../../ground/statistics/grouped.ts';

/** A point of a run's recorded series, in s since the request for playback. */
export interface Point {
  readonly t_s: number;
  readonly value: number;
}

/** Reads one column of a run's CSV with its `t_s`; empty if the run has no such file. Empty cells are omitted. */
export function readSeries(folder: string, name: string, column: string): Point[] {
  const file = join(folder, name);
  if (!existsSync(file)) return [];
  const [header = '', ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const columns = header.trim().split(',');
  const time = columns.indexOf('t_s');
  const wanted = columns.indexOf(column);
  if (rows.length === 0) return [];
  if (time < 0 || wanted < 0)
    throw new Error(`${file}: no column '${time < 0 ? 't_s' : column}' in its first line`);
  return rows.flatMap((row, index) => {
    const cells = row.trim().split(',');
    if (cells[wanted] === '') return [];
    const point = { t_s: Number(cells[time]), value: Number(cells[wanted]) };
    if (cells.length === columns.length && Number.isFinite(point.t_s) && Number.isFinite(point.value))
      return [point];
    throw new Error(`${file}: line ${index + 2} is not ${columns.length} numbers: '${row.slice(0, 60)}'`);
  });
}

/** The longest gap between two points of a series that the line still connects, s. */
const GAP_S = 1;

/**
 * Reduces a series to one point per bin of `bin_s`, at the bin's middle. Gaps become NaN, which interrupts the line.
 */
export function thin(
  series: readonly Point[],
  bin_s: number,
  from: (values: readonly number[]) => number = mean,
): Point[] {
  // The small addition puts 0.3 / 0.1 = 2.9999999999999996 into bin 3.
  const bins = groupBy(series, ({ t_s }) => Math.floor(t_s / bin_s + 1e-6));
  const filled = [...bins].sort(([a], [b]) => a - b);
  return filled.flatMap(([bin, points], index) => {
    const point = { t_s: (bin + 0.5) * bin_s, value: from(points.map(({ value }) => value)) };
    const previous = filled[index - 1]?.[0];
    const hole = previous !== undefined && (bin - previous - 1) * bin_s > GAP_S;
    return hole ? [{ t_s: (previous + 1.5) * bin_s, value: NaN }, point] : [point];
  });
}

/** The bin length, s: 100 ms as in Sammy Figure 7, or a multiple that gives at most `points` bins. */
export const chooseBin_s = (seconds: number, points: number): number =>
  Math.max(1, Math.ceil(seconds / points / 0.1)) / 10;
