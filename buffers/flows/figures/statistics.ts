import { nearestRank } from '../../../emulation/ground/statistics/percentiles.ts';
import type { Cell } from '../paper/cell.ts';
import type { CellRun } from './figure.ts';
import { groupBy } from '../../../emulation/ground/statistics/grouped.ts';
import { leastSquaresSlope } from '../../../emulation/ground/statistics/bootstrap.ts';

/** Whether a cell's flows start at about the same time, share a drop-tail queue, and have round trips like `spread`. */
export const isPlain = ({ at, rtts, headStart }: Cell, spread: Cell['rtts'] = 'same'): boolean =>
  at === 'tail' && rtts === spread && !headStart;

export const median = (values: readonly number[]): number | null => nearestRank(values, 0.5);

/** Returns the median over the runs of each cell, in the order of the cells. */
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
 * Fits y = a·x^b by least squares on the logarithms, and returns the exponent b. Null for fewer than two points, or if
 * a coordinate is not positive.
 */
export function fitPower(points: readonly { readonly x: number; readonly y: number }[]): number | null {
  if (points.length < 2 || points.some(({ x, y }) => !(x > 0 && y > 0))) return null;
  const slope = leastSquaresSlope(points.map(({ x, y }) => [Math.log(x), Math.log(y)]));
  return Number.isFinite(slope) ? slope : null;
}

/**
 * Estimates the smallest buffer at and above which the share is at least `target`. Interpolates linearly in the
 * logarithm of the buffer, between the largest tried buffer whose share is too small and the next larger one. Null if
 * the share is too small even with the largest buffer. If it is large enough with every buffer, returns the smallest
 * tried buffer, with `atMost`.
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

/**
 * Returns the smallest depth that at least `fraction` of the packets did not exceed. `depths` counts packets by depth.
 * Null if there are no packets.
 */
export function depthQuantile(depths: readonly number[], fraction: number): number | null {
  const all = depths.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  const at = depths.findIndex((count) => (sum += count) >= fraction * all && sum > 0);
  return at < 0 ? null : at;
}
