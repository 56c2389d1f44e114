import * as Plot from '@observablehq/plot';
import type { Markup } from './html.ts';
import type { Look } from './palette.ts';
import { svg } from './svg.ts';

/** A mark in the legend, drawn as in the charts. */
export const legendMark = ({ name, color, symbol }: Look): Markup =>
  svg(`mark of ${name}`, {
    width: 14,
    height: 14,
    margin: 0,
    marks: [Plot.dot([name], { frameAnchor: 'middle', symbol, fill: color, r: 4.5 })],
  });
