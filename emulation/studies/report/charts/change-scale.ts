import * as Plot from '@observablehq/plot';
import { formatTick } from '../../../ground/drawing/format.ts';
import type { Comparison } from '../summary.ts';

/** Larger changes are drawn at the edge, so that one extreme interval does not compress all others. */
const MOST_PCT = 100;

/** A change with its interval, as drawn, and the paper's value. Undefined values are not drawn. */
export interface DrawnChange {
  readonly change: number;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly paper?: number | undefined;
}

/** The change to draw; undefined if there is none. */
export const drawnChange = (comparison: Comparison | undefined): DrawnChange | undefined =>
  comparison?.change_pct == null
    ? undefined
    : { change: comparison.change_pct, low: comparison.ci95_pct?.[0], high: comparison.ci95_pct?.[1] };

const drawnValues = (rows: readonly DrawnChange[]): number[] =>
  rows
    .flatMap(({ change, low, high, paper }) => [change, low, high, paper])
    .filter((each) => each !== undefined);

/** The domain of an axis of percent changes. It reaches from `least` or lower to at least 10%. */
export function changeDomain(rows: readonly DrawnChange[], least = -10): [number, number] {
  const values = drawnValues(rows);
  return [Math.max(-100, Math.min(least, ...values)), Math.min(MOST_PCT, Math.max(10, ...values))];
}

/** The vertical axis of changes. It ends at -100%, because no metric can fall further. */
export const changeAxis = (rows: readonly DrawnChange[], label: string) => ({
  label,
  grid: true,
  tickFormat: formatTick,
  clamp: true,
  domain: changeDomain(rows, -100),
});

/** Draws the intervals of rows along one axis, each at its row's position on the other axis. */
export const intervals = (
  axis: 'x' | 'y',
  at: string,
  rows: readonly Pick<DrawnChange, 'low' | 'high'>[],
  look: Plot.LinkOptions,
): Plot.Link =>
  Plot.link(
    rows,
    axis === 'x'
      ? { ...look, x1: 'low', x2: 'high', y1: at, y2: at }
      : { ...look, y1: 'low', y2: 'high', x1: at, x2: at },
  );

/** A sentence for the caption if a value lies beyond the axis; otherwise empty. */
export const beyondNote = (rows: readonly DrawnChange[]): string =>
  drawnValues(rows).some((value) => value > MOST_PCT)
    ? ` What lies beyond +${MOST_PCT}% stands at the edge.`
    : '';
