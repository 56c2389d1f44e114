import { makeCell, type Cell } from '../paper/cell.ts';
import { depthChart } from '../charts/depth-charts.ts';
import { runsWhere, type BufferFigure } from './figure.ts';

const FLOWS = { quick: [1, 4, 16, 64], full: [1, 2, 4, 8, 16, 32, 64, 128] };
const BUFFERS = { quick: [1, 0.5], full: [1, 0.5, 0.25] };
/** Δ for the border of the shaded area: each window is within this factor of BDP/n. 1: all windows are equal. */
const FAIR = 1;

const cells = (form: 'quick' | 'full'): Cell[] =>
  BUFFERS[form].flatMap((buffer) => FLOWS[form].map((flows) => makeCell('reno', flows, buffer)));

export const figure4: BufferFigure = {
  number: 4,
  title: 'Queue depth by the number of flows, Reno',
  caption:
    'How many packets each packet found waiting; each row over its largest. Dotted: the size of the buffer. Shaded: where ' +
    'the queue does not go by Theorem 5, if at most √n fair flows (Δ = 1) lose packets at a time. A picture for each ' +
    'buffer. Paper: Figure 4.',
  columns: 3,
  cells,
  draw(runs, link) {
    return BUFFERS.full.flatMap((buffer) => {
      const own = runsWhere(
        runs,
        (cell) =>
          cell.congestion === 'reno' &&
          cell.buffer_bdp === buffer &&
          cell.at === 'tail' &&
          cell.rtts === 'same' &&
          !cell.headStart,
      );
      return own.length === 0 ? [] : [depthChart(`${buffer} BDP`, own, link, FAIR)];
    });
  },
};
