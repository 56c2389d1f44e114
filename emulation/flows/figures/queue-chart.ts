import * as Plot from '@observablehq/plot';
import { svg } from '../../drawing/svg.ts';
import type { Markup } from '../../drawing/html.ts';
import type { CellRun } from './figure.ts';
import { depthBins } from './series.ts';

const WIDTH = 1080;

/** The queue over the time after the start-up: least and most of each bin of a pixel. */
export function queueChart(
  run: CellRun,
  { title, color, most }: { readonly title: string; readonly color: string; readonly most: number },
): Markup {
  const { from_s, seconds } = run.result;
  const bins = depthBins(run.packets(), { from_s, to_s: seconds, bins: WIDTH });
  return svg(`queue of ${title} over time`, {
    width: WIDTH,
    height: 170,
    marginTop: 30,
    marginBottom: 40,
    marginLeft: 40,
    x: { label: 'time (s)', domain: [from_s, seconds], labelArrow: 'none' },
    y: { label: `${title}: queue (packets)`, labelArrow: 'none', domain: [0, most], grid: true, ticks: 4 },
    marks: [
      Plot.ruleY([0], { stroke: 'var(--rule)' }),
      Plot.ruleY([run.buffer_packets], {
        stroke: 'currentColor',
        strokeOpacity: 0.6,
        strokeDasharray: '4 3',
      }),
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
