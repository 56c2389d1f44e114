import * as Plot from '@observablehq/plot';
import type { Markup } from '../drawing/html.ts';
import { svg } from '../drawing/svg.ts';
import { ALGORITHMS } from '../theory/algorithm.ts';
import { bufferFor, leastUtilization } from '../theory/single-flow.ts';
import { NEUTRAL, colorOf } from './figures/colors.ts';
import { CONGESTION_CONTROLS, type CongestionControl } from './flow-cells.ts';
import type { QueueRow } from '../links/postcard-link.ts';
import type { FlowResult, WindowRow } from './flow-result.ts';

/** Figure 2: the shortest and the longest queue in each bin, and the buffer's size. */
export function queueOverTime(
  { congestion_control, cell, buffer_packets, seconds }: FlowResult,
  queue: readonly QueueRow[],
  { width, height }: { readonly width: number; readonly height: number },
): Markup {
  const bin_s = seconds / width;
  const bins = new Map<number, { t_s: number; least: number; most: number }>();
  for (const { t_s, depth_packets } of queue) {
    const index = Math.floor(t_s / bin_s);
    const bin = bins.get(index) ?? { t_s: index * bin_s, least: depth_packets, most: depth_packets };
    bins.set(index, {
      ...bin,
      least: Math.min(bin.least, depth_packets),
      most: Math.max(bin.most, depth_packets),
    });
  }
  const color = colorOf(congestion_control);
  return svg(`queue of ${cell} over time`, {
    width,
    height,
    marginTop: 30,
    marginBottom: 40,
    marginLeft: 36,
    x: { label: 'time (s)', domain: [0, seconds], labelArrow: 'none' },
    y: {
      label: `${cell}: queue (packets)`,
      labelArrow: 'none',
      domain: [0, Math.max(1, buffer_packets) * 1.05],
      grid: true,
      ticks: 4,
    },
    marks: [
      Plot.ruleY([0], { stroke: 'var(--rule)' }),
      Plot.ruleY([buffer_packets], { stroke: 'currentColor', strokeOpacity: 0.6, strokeDasharray: '4 3' }),
      Plot.areaY([...bins.values()], {
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

/** Figure 1: window and queue around a loss. */
export function aroundLoss(
  { congestion_control, cell }: FlowResult,
  at_s: number,
  queue: readonly Pick<QueueRow, 't_s' | 'depth_packets'>[],
  tcp: readonly Pick<WindowRow, 't_s' | 'cwnd_packets'>[],
): Markup {
  const [before_s, after_s] = [0.1, 0.4];
  const near = <Row extends { readonly t_s: number }>(rows: readonly Row[]) =>
    rows
      .map((row) => ({ ...row, t_ms: (row.t_s - at_s) * 1000 }))
      .filter(({ t_ms }) => t_ms >= -before_s * 1000 && t_ms <= after_s * 1000);
  const [windows, depths] = [near(tcp), near(queue)];
  const end = { x: 't_ms', textAnchor: 'end', dx: -4, dy: -8, fontWeight: 600 } as const;
  return svg(`window and queue of ${cell} around a loss`, {
    width: 380,
    height: 260,
    marginTop: 30,
    marginBottom: 40,
    marginLeft: 36,
    x: { label: 'time since the loss (ms)', labelArrow: 'none', ticks: 6 },
    y: { label: `${cell} (packets)`, labelArrow: 'none', zero: true, nice: true, grid: true, ticks: 5 },
    marks: [
      Plot.ruleY([0], { stroke: 'var(--rule)' }),
      Plot.ruleX([0], { stroke: 'currentColor', strokeOpacity: 0.6, strokeDasharray: '1 3' }),
      Plot.lineY(depths, { x: 't_ms', y: 'depth_packets', stroke: NEUTRAL, strokeWidth: 1 }),
      Plot.lineY(windows, {
        x: 't_ms',
        y: 'cwnd_packets',
        stroke: colorOf(congestion_control),
        strokeWidth: 1.6,
        curve: 'step-after',
      }),
      Plot.text(windows.slice(-1), {
        ...end,
        y: 'cwnd_packets',
        text: () => 'window',
        fill: colorOf(congestion_control),
      }),
      Plot.text(depths.slice(-1), { ...end, y: 'depth_packets', text: () => 'queue', fill: NEUTRAL }),
    ],
  });
}

/** Figure 3: a panel for each congestion control, with the theory as a line. */
export const utilizationCharts = (results: readonly FlowResult[]): Markup[] =>
  CONGESTION_CONTROLS.flatMap((name) => {
    const own = results.filter(({ congestion_control }) => congestion_control === name);
    return own.length === 0 ? [] : [utilizationChart(name, own)];
  });

function utilizationChart(name: CongestionControl, results: readonly FlowResult[]): Markup {
  const curve = Array.from({ length: 201 }, (_, index) => ({
    buffer: index / 100,
    share: leastUtilization(ALGORITHMS[name], index / 100),
  }));
  const color = colorOf(name);
  return svg(`utilization of ${name} against buffer size`, {
    width: 380,
    height: 280,
    marginTop: 30,
    marginBottom: 40,
    marginLeft: 40,
    x: { label: 'buffer (BDP)', labelArrow: 'none', domain: [0, 2.05], ticks: 5 },
    y: {
      label: `${name}: 1st percentile of utilization`,
      labelArrow: 'none',
      domain: [0, 1.03],
      tickFormat: '.0%',
      grid: true,
      ticks: 6,
    },
    marks: [
      Plot.ruleX([bufferFor(ALGORITHMS[name])], {
        stroke: 'currentColor',
        strokeOpacity: 0.6,
        strokeDasharray: '4 3',
      }),
      Plot.lineY(curve, { x: 'buffer', y: 'share', stroke: NEUTRAL, strokeWidth: 1.4 }),
      Plot.dot(results, { x: 'buffer_bdp', y: 'utilization_p1_rtt', stroke: color, r: 4 }),
      Plot.dot(results, { x: 'buffer_bdp', y: 'utilization_p1', fill: color, r: 4 }),
      ...(name === 'bbr'
        ? [
            Plot.dot(results, {
              x: 'buffer_bdp',
              y: 'utilization_p1_no_probe_rtt',
              fill: color,
              symbol: 'diamond' as const,
              r: 5,
            }),
          ]
        : []),
    ],
  });
}
