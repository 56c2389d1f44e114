import type { Cell } from './slow-links.data.ts';

/** The differences of an arm from stock dash.js on the same link. */
export interface Against {
  readonly arm: string;
  /** The increase of the neighbor's response time, %. */
  readonly wait_pct: number;
  readonly ssim_db: number;
  /** The increase of the time stalled, in percentage points. */
  readonly stalled_points: number;
}

export interface Panel {
  readonly rate_mbps: number;
  readonly stock: Cell;
  readonly arms: readonly Against[];
}

const STOCK = 'dashjs';

/** Returns one panel per link with this queue, from the slowest link to the fastest, with the results of `arms`. */
export function comparePerLink(rows: readonly Cell[], queue_bdp: number, arms: readonly string[]): Panel[] {
  const cells = rows.filter((row) => row.queue_bdp === queue_bdp);
  return cells
    .filter(({ arm }) => arm === STOCK)
    .toSorted((a, b) => a.rate_mbps - b.rate_mbps)
    .map((stock) => ({
      rate_mbps: stock.rate_mbps,
      stock,
      arms: arms.flatMap((arm) => {
        const cell = cells.find((each) => each.arm === arm && each.rate_mbps === stock.rate_mbps);
        return cell ? [compare(cell, stock)] : [];
      }),
    }));
}

const compare = (cell: Cell, stock: Cell): Against => ({
  arm: cell.arm,
  wait_pct: 100 * (cell.http_response_ms / stock.http_response_ms - 1),
  ssim_db: cell.mean_ssim_db - stock.mean_ssim_db,
  stalled_points: cell.rebuffer_points - stock.rebuffer_points,
});
