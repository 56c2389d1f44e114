import * as Plot from '@observablehq/plot';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import { NEUTRAL } from './colors.ts';

interface Look {
  /** For a screen reader. */
  readonly label: string;
  /** Of the vertical axis. */
  readonly share: string;
  /** The horizontal axis, and the buffer from which on the theory expects a busy link. */
  readonly x: {
    readonly label: string;
    readonly most: number;
    readonly ticks: number;
    readonly busyFrom: number;
  };
}

/** A share of the link against the buffer: the theory as a line, and marks of what was measured, which have `buffer`. */
export const utilizationChart = (
  { label, share, x }: Look,
  theory: readonly { readonly buffer: number; readonly share: number }[],
  marks: readonly Plot.Markish[],
): Markup =>
  svg(label, {
    width: 380,
    height: 280,
    marginTop: 30,
    marginBottom: 40,
    marginLeft: 40,
    x: { label: x.label, labelArrow: 'none', domain: [0, x.most], ticks: x.ticks },
    y: { label: share, labelArrow: 'none', domain: [0, 1.03], tickFormat: '.0%', grid: true, ticks: 6 },
    marks: [
      Plot.ruleX([x.busyFrom], { stroke: 'currentColor', strokeOpacity: 0.6, strokeDasharray: '4 3' }),
      Plot.lineY(theory, { x: 'buffer', y: 'share', stroke: NEUTRAL, strokeWidth: 1.4 }),
      ...marks,
    ],
  });
