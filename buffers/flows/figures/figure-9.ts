import * as Plot from '@observablehq/plot';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import type { LinkSize } from '../link-size.ts';
import { makeCell } from '../paper/cell.ts';
import { NEUTRAL, flowColor } from '../charts/colors.ts';
import { runsWhere, type BufferFigure, type CellRun, type WindowRow } from './figure.ts';
import { depthBins } from './series.ts';

const FLOWS = 4;
/** The time shown after the start-up, in base round trips. */
const SHOWN_RTTS = 200;
const BINS = 540;
const KINDS = [
  { headStart: false, title: 'all begin together' },
  { headStart: true, title: 'one begins alone' },
];

/** Returns the rows in which a flow's window differs from the flow's previous row. */
function windowChanges(rows: readonly WindowRow[]): WindowRow[] {
  const last = new Map<number, number>();
  return rows.filter(({ flow, cwnd_packets }) => {
    const changed = last.get(flow) !== cwnd_packets;
    last.set(flow, cwnd_packets);
    return changed;
  });
}

function chart(run: CellRun, title: string, { base_rtt_ms }: LinkSize): Markup {
  const { from_s, seconds } = run.result;
  const to_s = Math.min(seconds, from_s + (SHOWN_RTTS * base_rtt_ms) / 1000);
  const bins = depthBins(run.packets(), { from_s, to_s, bins: BINS });
  const windows = windowChanges(run.windows().filter(({ t_s }) => t_s >= from_s && t_s < to_s));
  return svg(`windows and queue of ${FLOWS} flows: ${title}`, {
    width: 540,
    height: 300,
    x: { label: 'time (s)', domain: [from_s, to_s] },
    y: { label: `${title}: packets`, zero: true, nice: true, grid: true, ticks: 5 },
    color: { type: 'identity' },
    marks: [
      Plot.areaY(bins, {
        x: 't_s',
        y1: 'least',
        y2: 'most',
        fill: NEUTRAL,
        fillOpacity: 0.35,
        stroke: NEUTRAL,
        strokeWidth: 0.6,
      }),
      Plot.lineY(windows, {
        x: 't_s',
        y: 'cwnd_packets',
        z: 'flow',
        stroke: ({ flow }: { readonly flow: number }) => flowColor(flow),
        curve: 'step-after',
        strokeWidth: 1.2,
      }),
    ],
  });
}

export const figure9: BufferFigure = {
  number: 9,
  title: 'Four flows, fair and unfair',
  caption:
    'The windows of four Reno flows, in colors, and the queue (gray), with a buffer of 1 BDP. Right: one flow has begun alone ' +
    'and has filled the link before the others come, so that its losses take as much out of the queue as those of several ' +
    'fair ones. The paper shows a moment at which this came about by itself. Paper: Figure 9.',
  columns: 2,
  cells: () => KINDS.map(({ headStart }) => makeCell('reno', FLOWS, 1, { headStart })),
  draw: (runs, link) =>
    KINDS.flatMap(({ headStart, title }) => {
      const [run] = runsWhere(
        runs,
        (cell) =>
          cell.congestion === 'reno' &&
          cell.flows === FLOWS &&
          cell.buffer_bdp === 1 &&
          cell.at === 'tail' &&
          cell.rtts === 'same' &&
          cell.headStart === headStart,
      );
      return run ? [chart(run, title, link)] : [];
    }),
};
