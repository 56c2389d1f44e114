import * as Plot from '@observablehq/plot';
import { meanOrNull } from '../../../emulation/ground/statistics/percentiles.ts';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import { coveredLosses } from '../../theory/many-flows.ts';
import { makeCell, type Cell } from '../paper/cell.ts';
import { NEUTRAL, congestionColor } from '../charts/colors.ts';
import { runsWhere, type BufferFigure, type CellRun } from './figure.ts';
import { FLOWS_AXIS } from './flows-axis.ts';
import { isPlain, median, medians } from './statistics.ts';

const FLOWS = { quick: [4, 16, 64], full: [2, 4, 8, 16, 32, 64, 128] };
/** Δ in Theorem 5 of Updating the Theory of Buffer Sizing: at most n²/(Δ·BDP) + √n of n flows see a loss at a time. */
const FAIRNESS = 2;

const isOwn = ({ congestion, buffer_bdp }: Cell): boolean => congestion === 'reno' && buffer_bdp === 1;
const both = (runs: readonly CellRun[]) => [
  { rtts: 'same', own: runsWhere(runs, (cell) => isOwn(cell) && isPlain(cell)) },
  { rtts: 'spread', own: runsWhere(runs, (cell) => isOwn(cell) && isPlain(cell, 'spread')) },
];
const bound = (flows: number, bdp_packets: number): number =>
  coveredLosses({ bdp_packets, flows, fairness: FAIRNESS }) + Math.sqrt(flows);

export const figure10: BufferFigure = {
  number: 10,
  title: 'Flows that see a loss in the same round trip, Reno',
  caption:
    'Of the round trips in which any packet was lost, the mean number of flows that lost one (filled: one round trip for ' +
    'all; hollow: spread by ±10%) and the median (crosses). A round trip is what it is when the queue is full. Line: the ' +
    'bound of Theorem 5, n²/(2 BDP) + √n. Buffer: 1 BDP. Paper: Figure 10.',
  columns: 2,
  cells: (form) =>
    FLOWS[form].flatMap((flows) => [
      makeCell('reno', flows, 1),
      makeCell('reno', flows, 1, { rtts: 'spread' }),
    ]),
  draw(runs, { bdp_packets }) {
    const [same = [], spread = []] = both(runs).map(({ own }) =>
      medians(own, ({ result }) => meanOrNull(result.loss_events.flows)),
    );
    const middles = both(runs).flatMap(({ own }) =>
      medians(own, ({ result }) => median(result.loss_events.flows)),
    );
    if (same.length + spread.length === 0) return [];
    const rows = (points: typeof same) =>
      points.map(({ cell, value }) => ({ flows: cell.flows, lossy: value }));
    const line = [1, 2, 4, 8, 16, 32, 64, 128].map((flows) => ({ flows, lossy: bound(flows, bdp_packets) }));
    const at = { x: 'flows', y: 'lossy', r: 4 } as const;
    return [
      svg('flows that see a loss in the same round trip', {
        width: 420,
        height: 300,
        x: { ...FLOWS_AXIS, label: 'flows' },
        y: {
          type: 'log',
          label: 'flows that see a loss',
          grid: true,
          ticks: 4,
          tickFormat: 'd',
        },
        marks: [
          Plot.line(line, { x: 'flows', y: 'lossy', stroke: NEUTRAL }),
          Plot.dot(rows(same), { ...at, fill: congestionColor('reno') }),
          Plot.dot(rows(spread), { ...at, stroke: congestionColor('reno') }),
          Plot.dot(rows(middles), { ...at, stroke: 'currentColor', symbol: 'times', r: 3 }),
        ],
      }),
    ];
  },
  findings: (runs, { bdp_packets }) =>
    Object.fromEntries(
      both(runs).flatMap(({ rtts, own }) =>
        medians(own, ({ result }) => median(result.loss_events.flows)).flatMap(({ cell, value }) => [
          [`${rtts}_n${cell.flows}_median`, value],
          [`${rtts}_n${cell.flows}_bound`, bound(cell.flows, bdp_packets)],
        ]),
      ),
    ),
};
