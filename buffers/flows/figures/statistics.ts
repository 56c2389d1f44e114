import { nearestRank } from '../../../emulation/ground/statistics/percentiles.ts';
import type { Cell } from '../paper/cell.ts';
import type { CellRun } from './figure.ts';
import { groupBy } from '../../../emulation/ground/statistics/grouped.ts';
import { leastSquaresSlope } from '../../../emulation/ground/statistics/bootstrap.ts';

/** Cells of long flows that begin at the same time and share a drop-tail queue. */
export const isPlain = ({ at, rtts, headStart }: Cell, spread: Cell['rtts'] = 'same'): boolean =>
  at === 'tail' && rtts === spread && !headStart;

export const median = (values: readonly number[]): number | null => nearestRank(values, 0.5);

/** The median over the runs of each cell, in the order of the cells. */
export function medians(
  runs: readonly CellRun[],
  of: (run: CellRun) => number | null,
): { readonly cell: Cell; readonly buffer_packets: number; readonly value: number }[] {
  return [...groupBy(runs, ({ name }) => name).values()].flatMap((group) => {
    const value = median(group.flatMap((run) => of(run) ?? []));
    const [first] = group;
    return value === null || !first
      ? []
      : [{ cell: first.cell, buffer_packets: first.buffer_packets, value }];
  });
}

/**
 * The slope of the least-squares line through the logarithms: y grows as x to that power. Null of fewer than two points,
 * or of one that is not above 0.
 */
export function fitPower(points: readonly { readonly x: number; readonly y: number }[]): number | null {
  if (points.length < 2 || points.some(({ x, y }) => !(x > 0 && y > 0))) return null;
  const slope = leastSquaresSlope(points.map(({ x, y }) => [Math.log(x), Math.log(y)]));
  return Number.isFinite(slope) ? slope : null;
}

/**
 * The smallest buffer from which on a share is at least `target`, between those that were tried: on the straight line
 * through the last that has too little and the next, by the logarithm of the buffer. Null where the largest has too
 * little; the smallest that was tried where all have enough, with `atMost`.
 */
export function bufferForShare(
  tried: readonly { readonly buffer: number; readonly share: number }[],
  target: number,
): { readonly buffer: number; readonly atMost: boolean } | null {
  const inOrder = tried.toSorted((one, other) => one.buffer - other.buffer);
  const below = inOrder.findLastIndex(({ share }) => share < target);
  const next = inOrder[below + 1];
  const last = inOrder[below];
  if (!next) return null;
  if (!last) return { buffer: next.buffer, atMost: true };
  const part = (target - last.share) / (next.share - last.share);
  return { buffer: last.buffer * (next.buffer / last.buffer) ** part, atMost: false };
}

/** The least depth that at least `fraction` of the packets did not exceed, of their counts by depth; null of no packets. */
export function depthQuantile(depths: readonly number[], fraction: number): number | null {
  const all = depths.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  const at = depths.findIndex((count) => (sum += count) >= fraction * all && sum > 0);
  return at < 0 ? null : at;
}
