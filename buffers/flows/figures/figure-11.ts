import * as Plot from '@observablehq/plot';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { ALGORITHM_NAMES } from '../../theory/algorithm.ts';
import { makeCell, type Cell } from '../paper/cell.ts';
import { congestionColor } from '../charts/colors.ts';
import { runsWhere, type BufferFigure, type CellRun, type Findings } from './figure.ts';
import { FLOWS_AXIS } from './flows-axis.ts';
import { isPlain, medians } from './statistics.ts';

const FLOWS = { quick: [4, 16, 64], full: [2, 4, 8, 16, 32, 64, 128] };
const AT_FLOWS = 16;
const BUFFERS = { quick: [0.25, 0.8], full: [0.12, 0.25, 0.5, 0.8, 1] };

/** The two sides of Figure 11: the 99th percentile of n flows' windows over BDP/n (Δ), and the 1st percentile (Δ⁻¹). */
const SIDES = [
  { name: 'most', of: ({ result }: CellRun) => result.fairness.most },
  { name: 'least', of: ({ result }: CellRun) => result.fairness.least },
] as const;

interface Point {
  readonly congestion: string;
  readonly side: string;
  readonly at: number;
  readonly ratio: number;
}

const makePoints = (runs: readonly CellRun[], at: (cell: Cell, buffer_packets: number) => number): Point[] =>
  SIDES.flatMap(({ name: side, of }) =>
    medians(runs, of).map(({ cell, buffer_packets, value }) => ({
      congestion: cell.congestion,
      side,
      at: at(cell, buffer_packets),
      ratio: value,
    })),
  ).toSorted((one, other) => one.at - other.at);

const byFlows = (runs: readonly CellRun[], rtts: Cell['rtts'] = 'same'): Point[] =>
  makePoints(
    runsWhere(runs, (cell) => isPlain(cell, rtts) && cell.buffer_bdp === 1 && cell.flows > 1),
    ({ flows }) => flows,
  );

const byBuffer = (runs: readonly CellRun[]): Point[] =>
  makePoints(
    runsWhere(runs, (cell) => isPlain(cell) && cell.flows === AT_FLOWS),
    (_, buffer_packets) => buffer_packets,
  );

/** Ticks of the axis. Ticks beyond the end of the axis must be left out, because the chart would draw them too. */
const TICKS = [0.1, 0.25, 0.5, 1, 2, 4, 10, 20];
/** The length of the axis as a multiple of the largest value. */
const ROOM = 1.15;

function chart(label: string, x: object, points: readonly Point[], spread: readonly Point[] = []): Markup {
  const at = { x: 'at', y: 'ratio' } as const;
  const color = ({ congestion }: Point) => congestionColor(congestion);
  const ratios = [...points, ...spread].map(({ ratio }) => ratio);
  const [least, most] = [Math.min(0.5, ...ratios) / ROOM, Math.max(2, ...ratios) * ROOM];
  return svg(`worst-case fairness against ${label}`, {
    width: 420,
    height: 300,
    x: { label, ...x },
    y: {
      type: 'log',
      base: 2,
      label: 'window / (BDP/n)',
      grid: true,
      domain: [least, most],
      ticks: TICKS.filter((tick) => tick >= least && tick <= most),
      tickFormat: '~g',
    },
    color: { type: 'identity' },
    marks: [
      Plot.ruleY([1], { stroke: 'currentColor', strokeOpacity: 0.6 }),
      Plot.line(points, {
        ...at,
        z: ({ congestion, side }: Point) => congestion + side,
        stroke: color,
        strokeOpacity: 0.6,
      }),
      Plot.dot(points, { ...at, fill: color, r: 3.5 }),
      Plot.dot(spread, { ...at, stroke: color, r: 4, symbol: 'square' }),
    ],
  });
}

const findings = (runs: readonly CellRun[]): Findings =>
  Object.fromEntries<number>([
    ...byFlows(runs).map(
      ({ congestion, side, at, ratio }) => [`${congestion}_n${at}_${side}`, ratio] as const,
    ),
    ...byBuffer(runs).map(
      ({ congestion, side, at, ratio }) => [`${congestion}_n${AT_FLOWS}_b${at}_${side}`, ratio] as const,
    ),
  ]);

export const figure11: BufferFigure = {
  number: 11,
  title: 'Worst-case Δ-almost fairness',
  caption:
    'The 99th and the 1st percentile of all flows’ windows at their ACKs, over BDP/n: Δ is the larger of the first and the ' +
    'inverse of the second (§5.6). Left: against the number of flows, with a buffer of 1 BDP (hollow: round trips spread by ' +
    '±10%); right: against the buffer, with 16 flows. Colors as in Figure 2. Paper: Figure 11.',
  columns: 2,
  cells: (form, others) => [
    ...FLOWS[form].flatMap((flows) => [
      makeCell('reno', flows, 1),
      makeCell('reno', flows, 1, { rtts: 'spread' }),
    ]),
    ...[...ALGORITHM_NAMES, ...others].flatMap((name) =>
      BUFFERS[form].map((buffer) => makeCell(name, AT_FLOWS, buffer)),
    ),
  ],
  draw(runs) {
    const [flows, spread, buffers] = [byFlows(runs), byFlows(runs, 'spread'), byBuffer(runs)];
    return [
      ...(flows.length + spread.length > 0 ? [chart('flows', FLOWS_AXIS, flows, spread)] : []),
      ...(buffers.length > 0 ? [chart('buffer (packets)', { zero: true }, buffers)] : []),
    ];
  },
  findings,
};
