import * as Plot from '@observablehq/plot';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { ALGORITHMS, type AlgorithmName } from '../../theory/algorithm.ts';
import { bufferFor, leastUtilization } from '../../theory/single-flow.ts';
import { colorOf } from '../charts/colors.ts';
import { lossChart } from '../charts/loss-chart.ts';
import { queueChart } from '../charts/queue-chart.ts';
import { utilizationChart } from '../charts/utilization-chart.ts';
import { CONGESTION_CONTROLS } from './cells.ts';
import type { FlowResult } from './flow-result.ts';
import { readDepths, readWindows } from './run-files.ts';

/** A loss is drawn only if the flow lasts at least this long before and after it, s. */
const MARGIN_S = 0.4;
const marginLeft = 36;

/** Figure 2: the shortest and the longest queue in each bin, and the buffer's size. */
export function queueOverTime(
  outDir: string,
  result: FlowResult,
  size: { readonly width: number; readonly height: number },
): Markup {
  const { cell, congestion_control, buffer_packets, seconds } = result;
  const run = { buffer_packets, result: { from_s: 0, seconds }, packets: () => readDepths(outDir, result) };
  const most = Math.max(1, buffer_packets) * 1.05;
  return queueChart(run, { title: cell, color: colorOf(congestion_control), most, marginLeft, ...size });
}

/** Figure 1: window and queue around the first loss; nothing for a flow that lost nothing after its start-up. */
export function aroundLoss(outDir: string, result: FlowResult): Markup[] {
  const { cell, congestion_control, from_s, seconds } = result;
  const at_s = result.loss_events_s.find((t_s) => t_s > from_s + MARGIN_S && t_s < seconds - MARGIN_S);
  if (at_s === undefined) return [];
  const flow = {
    ...{ congestion: congestion_control, at_s, before_ms: 100, after_ms: 400 },
    ...{ depths: readDepths(outDir, result), windows: readWindows(outDir, result) },
  };
  const label = `window and queue of ${cell} around a loss`;
  const size = { width: 380, height: 260, marginLeft };
  return [lossChart(flow, { label, axis: `${cell} (packets)`, size, ticks: 6, strokeWidth: 1.6 })];
}

/** Figure 3: a panel for each congestion control, with the theory as a line. */
export const utilizationCharts = (results: readonly FlowResult[]): Markup[] =>
  CONGESTION_CONTROLS.flatMap((name) => {
    const own = results.filter(({ congestion_control }) => congestion_control === name);
    return own.length === 0 ? [] : [chart(name, own)];
  });

function chart(name: AlgorithmName, results: readonly FlowResult[]): Markup {
  const theory = Array.from({ length: 201 }, (_, index) => ({
    buffer: index / 100,
    share: leastUtilization(ALGORITHMS[name], index / 100),
  }));
  const color = colorOf(name);
  return utilizationChart(
    {
      label: `utilization of ${name} against buffer size`,
      share: `${name}: 1st percentile of utilization`,
      x: { label: 'buffer (BDP)', most: 2.05, ticks: 5, busyFrom: bufferFor(ALGORITHMS[name]) },
    },
    theory,
    [
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
  );
}
