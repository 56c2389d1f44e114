import * as Plot from '@observablehq/plot';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { ALGORITHM_NAMES } from '../../theory/algorithm.ts';
import { leastUtilizationOfMany } from '../../theory/many-flows.ts';
import type { LinkSize } from '../link-size.ts';
import { makeCell, type Cell } from '../paper/cell.ts';
import { NEUTRAL, congestionColor } from '../charts/colors.ts';
import { runsWhere, type BufferFigure, type CellRun, type Findings } from './figure.ts';
import { FLOWS_AXIS } from './flows-axis.ts';
import { bufferForShare, isPlain, medians, fitPower } from './statistics.ts';

const FLOWS = { quick: [1, 4, 16, 64], full: [1, 2, 4, 8, 16, 32, 64, 128] };
/** Buffers in BDPs of 165 packets; 0.12 × 165 = 20 is the small buffer in Updating the Theory of Buffer Sizing §5.1. */
const BUFFERS = {
  quick: [0.06, 0.12, 0.25, 0.5, 1],
  full: [0.03, 0.06, 0.12, 0.18, 0.25, 0.35, 0.5, 0.7, 1, 1.4],
};
const SMALL_BDP = 0.12;
const SPREAD_FLOWS = { quick: [4, 64], full: FLOWS.full.slice(1) };
const SPREAD_BUFFERS = { quick: [0.12, 0.25, 0.5], full: BUFFERS.full };
const OTHERS = { quick: [], full: ALGORITHM_NAMES.filter((name) => name !== 'reno') };
const OTHER_FLOWS = [1, 4, 16, 64];

/**
 * Levels of utilization. The link is fully utilized if 99% of packets find other packets waiting, `found_queue`
 * (Updating the Theory of Buffer Sizing §5.1).
 */
const LEVELS = [
  { name: 'full', share: 0.99, of: ({ result }: CellRun) => result.found_queue },
  { name: '98%', share: 0.98, of: ({ result }: CellRun) => result.utilization.p1_10rtt },
  { name: '95%', share: 0.95, of: ({ result }: CellRun) => result.utilization.p1_10rtt },
  { name: '90%', share: 0.9, of: ({ result }: CellRun) => result.utilization.p1_10rtt },
] as const;

function cells(form: 'quick' | 'full'): Cell[] {
  const over = (
    congestion: string,
    flows: readonly number[],
    buffers: readonly number[],
    rtts: Cell['rtts'],
  ) => flows.flatMap((n) => buffers.map((buffer) => makeCell(congestion, n, buffer, { rtts })));
  return [
    ...over('reno', FLOWS[form], BUFFERS[form], 'same'),
    ...over('reno', [1], [1.4], 'same'),
    ...over('reno', SPREAD_FLOWS[form], SPREAD_BUFFERS[form], 'spread'),
    ...OTHERS[form].flatMap((name) => over(name, OTHER_FLOWS, BUFFERS[form], 'same')),
  ];
}

interface Needed {
  readonly congestion: string;
  readonly rtts: Cell['rtts'];
  readonly level: string;
  readonly flows: number;
  readonly buffer: number;
  readonly atMost: boolean;
}

/**
 * Returns the smallest buffer for each level, number of flows and congestion control for which there are enough runs.
 */
export function neededBuffers(runs: readonly CellRun[]): Needed[] {
  const own = runsWhere(runs, (cell) => isPlain(cell) || isPlain(cell, 'spread'));
  const kinds = [
    ...new Set(own.map(({ cell: { congestion, rtts, flows } }) => JSON.stringify([congestion, rtts, flows]))),
  ];
  return kinds.flatMap((kind) => {
    const [congestion, rtts, flows] = JSON.parse(kind) as [string, Cell['rtts'], number];
    const alike = own.filter(
      ({ cell }) => cell.congestion === congestion && cell.rtts === rtts && cell.flows === flows,
    );
    return LEVELS.flatMap(({ name: level, share, of }) => {
      const tried = medians(alike, of).map(({ buffer_packets, value }) => ({
        buffer: buffer_packets,
        share: value,
      }));
      // One buffer size is not enough for an estimate.
      const found = tried.length < 2 ? null : bufferForShare(tried, share);
      return found === null ? [] : [{ congestion, rtts, level, flows, ...found }];
    });
  });
}

/** Computes how the buffer grows with the number of flows. Buffers with only an upper bound are left out. */
function findings(runs: readonly CellRun[]): Findings {
  const needed = neededBuffers(runs).filter(({ atMost }) => !atMost);
  const slopes = LEVELS.flatMap(({ name }) =>
    (['same', 'spread'] as const).map((rtts) => {
      const points = needed
        .filter((each) => each.congestion === 'reno' && each.rtts === rtts && each.level === name)
        .map(({ flows, buffer }) => ({ x: flows, y: buffer }));
      return [`reno_${name}_${rtts}_slope_of_log_buffer_by_log_n`, fitPower(points)] as const;
    }),
  );
  const buffers = needed
    .filter(({ congestion, level }) => congestion === 'reno' && level === 'full')
    .map(({ rtts, flows, buffer }) => [`reno_${rtts}_n${flows}_full_packets`, buffer] as const);
  return Object.fromEntries([...slopes.filter(([, slope]) => slope !== null), ...buffers]);
}

function draw(runs: readonly CellRun[], link: LinkSize): Markup[] {
  const needed = neededBuffers(runs);
  const charts = LEVELS.flatMap(({ name }) => {
    const own = needed.filter(({ level }) => level === name);
    return own.length === 0 ? [] : [neededChart(name, own, link)];
  });
  const small = medians(
    runsWhere(runs, (cell) => isPlain(cell) && cell.congestion === 'reno' && cell.buffer_bdp === SMALL_BDP),
    ({ result }) => result.utilization.p1_10rtt,
  );
  return small.length < 2 ? charts : [...charts, smallBufferChart(small, link)];
}

function neededChart(level: string, needed: readonly Needed[], { bdp_packets }: LinkSize): Markup {
  const most = Math.max(...needed.map(({ flows }) => flows), 4);
  const line = [1, most].map((flows) => ({ flows, buffer: bdp_packets / Math.sqrt(flows) }));
  const common = { x: 'flows', y: 'buffer', r: 4 } as const;
  const same = needed.filter(({ rtts }) => rtts === 'same');
  const colored = { stroke: ({ congestion }: Needed) => congestionColor(congestion) };
  return svg(`buffer for ${level} utilization against flows`, {
    width: 380,
    height: 300,
    marginLeft: 44,
    x: { ...FLOWS_AXIS, label: 'flows' },
    y: {
      type: 'log',
      label: `buffer for ${level} utilization (packets)`,
      grid: true,
      ticks: 4,
      tickFormat: 'd',
    },
    color: { type: 'identity' },
    marks: [
      Plot.line(line, { x: 'flows', y: 'buffer', stroke: NEUTRAL, strokeDasharray: '4 3' }),
      Plot.line(same, { ...common, ...colored, z: 'congestion', strokeOpacity: 0.5 }),
      Plot.dot(
        same.filter(({ atMost }) => !atMost),
        { ...common, fill: ({ congestion }: Needed) => congestionColor(congestion) },
      ),
      Plot.dot(
        same.filter(({ atMost }) => atMost),
        { ...common, ...colored, symbol: 'triangle2' },
      ),
      Plot.dot(
        needed.filter(({ rtts }) => rtts === 'spread'),
        { ...common, ...colored, symbol: 'square' },
      ),
    ],
  });
}

function smallBufferChart(
  points: readonly { readonly cell: Cell; readonly buffer_packets: number; readonly value: number }[],
  { bdp_packets }: LinkSize,
): Markup {
  const buffer_packets = points[0]?.buffer_packets ?? 0;
  const rows = points.map(({ cell, value }) => ({ flows: cell.flows, share: value }));
  const theory = [1, 2, 4, 8, 16, 32, 64, 128].map((flows) => ({
    flows,
    share: leastUtilizationOfMany({ bdp_packets, flows, fairness: 1 }, buffer_packets),
  }));
  return svg('utilization of a small buffer against flows', {
    width: 380,
    height: 300,
    marginLeft: 44,
    x: { ...FLOWS_AXIS, label: 'flows' },
    y: {
      label: `utilization with ${buffer_packets} packets, 1st percentile`,
      tickFormat: '.0%',
      domain: [0, 1.02],
      grid: true,
      ticks: 6,
    },
    marks: [
      Plot.line(theory, { x: 'flows', y: 'share', stroke: NEUTRAL, strokeDasharray: '4 3' }),
      Plot.dot(rows, { x: 'flows', y: 'share', fill: congestionColor('reno'), r: 4 }),
    ],
  });
}

export const figure5: BufferFigure = {
  number: 5,
  title: 'The buffer that a utilization needs, against the number of flows',
  caption:
    'Full: at least 99% of packets find others waiting, the measure of the paper (§5.1); 98%, 95%, 90%: the 1st percentile ' +
    'of windows of ten round trips. Buffers between those that were tried are interpolated; a hollow triangle says that ' +
    'the smallest was enough already. Hollow squares: round trips spread by ±10%. Dashed: BDP/√n. Last: the utilization ' +
    'with 20 packets, and the least by Equation 3 with √n fair flows (dashed). Paper: Figure 5.',
  columns: 3,
  cells,
  draw,
  findings,
};
