import { meanOrNull } from '../../../emulation/ground/statistics/percentiles.ts';
import { makeCell, type Cell } from '../paper/cell.ts';
import { congestionColor } from '../charts/colors.ts';
import { runsWhere, type BufferFigure, type CellRun } from './figure.ts';
import { queueChart } from '../charts/queue-chart.ts';
import { median } from './statistics.ts';

const FLOWS = 16;
const KINDS = [
  { at: 'drop', title: 'drop', color: 'reno' },
  { at: 'mark', title: 'ECN', color: 'cubic' },
] as const;

const ofKind = (runs: readonly CellRun[], at: Cell['at']): CellRun[] =>
  runsWhere(runs, (cell) => cell.at === at && cell.flows === FLOWS && cell.congestion === 'reno');

export const figure8: BufferFigure = {
  number: 8,
  title: 'The same queue with drop and with ECN',
  caption:
    `${FLOWS} Reno flows. What finds more than 1 BDP waiting (dashed) is dropped, or marked for flows that have asked for ECN; ` +
    'the queue itself has room for more, as in the paper. With ECN it goes beyond the threshold for a round trip, more ' +
    'flows are marked in it than would have lost a packet, and they answer together. Paper: Figure 8.',
  cells: () => KINDS.map(({ at }) => makeCell('reno', FLOWS, 1, { at })),
  draw: (runs) => {
    const both = KINDS.flatMap(({ at, title, color }) =>
      ofKind(runs, at)
        .slice(0, 1)
        .map((run) => ({ run, title, color })),
    );
    const most =
      Math.max(0, ...both.map(({ run }) => Math.max(run.buffer_packets, run.result.depths.length))) * 1.05;
    return both.map(({ run, title, color }) =>
      queueChart(run, { title, color: congestionColor(color), most }),
    );
  },
  findings: (runs) =>
    Object.fromEntries(
      KINDS.flatMap(({ at, title }) => {
        const own = ofKind(runs, at);
        const flows = own.flatMap(({ result }) => result.loss_events.flows);
        return own.length === 0
          ? []
          : [
              [`${title}_flows_that_react_per_event_mean`, meanOrNull(flows)],
              [`${title}_flows_that_react_per_event_median`, median(flows)],
              [`${title}_events`, flows.length],
            ];
      }),
    ),
};
