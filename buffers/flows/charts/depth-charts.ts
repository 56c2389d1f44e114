import * as Plot from '@observablehq/plot';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { windowFall } from '../../theory/many-flows.ts';
import type { LinkSize } from '../link-size.ts';
import { congestionColor } from './colors.ts';
import type { CellRun } from '../figures/figure.ts';

/** A chart with one row for each number of flows: how often packets found each queue depth. */
export function depthChart(
  title: string,
  runs: readonly CellRun[],
  { bdp_packets }: LinkSize,
  fairness: number,
): Markup {
  const counts = [...new Set(runs.map(({ cell }) => cell.flows))].toSorted((one, other) => one - other);
  const buffer_packets = Math.max(...runs.map((run) => run.buffer_packets));
  const rows = counts.flatMap((flows) => depthBins(runs, flows, buffer_packets));
  const rules = counts.map((flows) => ({
    flows,
    full: buffer_packets,
    least: Math.max(0, buffer_packets - windowFall({ bdp_packets, flows, fairness })),
  }));
  return svg(`queue depth of ${title}`, {
    width: 380,
    height: 60 + 84 * counts.length,
    marginTop: 26,
    marginLeft: 12,
    marginRight: 56,
    x: {
      label: `${title}: packets that waited`,
      domain: [0, buffer_packets * 1.06],
      ticks: 6,
    },
    y: { axis: null },
    fy: { label: 'flows', labelAnchor: 'top', padding: 0.15 },
    marks: [
      Plot.rectX(rules, { x1: 0, x2: 'least', fy: 'flows', fill: 'var(--rule)', fillOpacity: 0.6 }),
      Plot.areaY(rows, {
        x: 'depth',
        y: 'share',
        fy: 'flows',
        fill: congestionColor(runs[0]?.cell.congestion ?? ''),
        curve: 'step',
      }),
      Plot.ruleX(rules, { x: 'full', fy: 'flows', stroke: 'currentColor', strokeDasharray: '1 3' }),
      Plot.ruleY(rules, { y: 0, fy: 'flows', stroke: 'var(--rule)' }),
    ],
  });
}

const BINS = 64;

/**
 * Shares of packets by bins of depth, relative to the largest share of the row, because rows of many flows are much
 * narrower and higher than rows of few flows.
 */
function depthBins(runs: readonly CellRun[], flows: number, buffer_packets: number) {
  const width = Math.max(1, Math.ceil(buffer_packets / BINS));
  const shares: number[] = Array.from({ length: Math.ceil((buffer_packets + 1) / width) }, () => 0);
  for (const { cell, result } of runs) {
    if (cell.flows !== flows) continue;
    result.depths.forEach((count, depth) => {
      const bin = Math.floor(depth / width);
      if (bin < shares.length) shares[bin] = (shares[bin] ?? 0) + count;
    });
  }
  const most = Math.max(1, ...shares);
  return shares.map((share, bin) => ({ flows, depth: (bin + 0.5) * width, share: share / most }));
}
