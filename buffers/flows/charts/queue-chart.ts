import * as Plot from '@observablehq/plot';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { depthBins, type DepthRow } from '../figures/series.ts';

/** The queue of one run over time, from any of the experiments. */
export interface QueueRun {
  readonly buffer_packets: number;
  readonly result: { readonly from_s: number; readonly seconds: number };
  readonly packets: () => readonly DepthRow[];
}

interface Look {
  readonly title: string;
  readonly color: string;
  readonly most: number;
}

const WIDTH = 1080;

/** A chart of the queue after the start-up: the minimum and maximum depth in each bin of one pixel. */
export function queueChart(
  { buffer_packets, result: { from_s, seconds }, packets }: QueueRun,
  { title, color, most }: Look,
): Markup {
  const bins = depthBins(packets(), { from_s, to_s: seconds, bins: WIDTH });
  return svg(`queue of ${title} over time`, {
    width: WIDTH,
    height: 170,
    marginLeft: 40,
    x: { label: 'time (s)', domain: [from_s, seconds] },
    y: { label: `${title}: queue (packets)`, domain: [0, most], grid: true, ticks: 4 },
    marks: [
      Plot.ruleY([0], { stroke: 'var(--rule)' }),
      Plot.ruleY([buffer_packets], { stroke: 'currentColor', strokeOpacity: 0.6, strokeDasharray: '4 3' }),
      Plot.areaY(bins, {
        x: 't_s',
        y1: 'least',
        y2: 'most',
        fill: color,
        fillOpacity: 0.5,
        stroke: color,
        strokeWidth: 0.8,
      }),
    ],
  });
}
