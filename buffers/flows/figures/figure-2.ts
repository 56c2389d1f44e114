import { makeCell } from '../paper/cell.ts';
import { congestionColor } from '../charts/colors.ts';
import { LINUX_FIRST, comparedIn, runsWhere, type BufferFigure } from './figure.ts';
import { queueChart } from '../charts/queue-chart.ts';
import { isPlain } from './statistics.ts';

export const figure2: BufferFigure = {
  number: 2,
  title: 'Queue over time, one flow',
  caption:
    'Least and most of each bin, as arriving packets found it. Dashed: the size of the buffer, 1 BDP, which is just enough ' +
    'for Reno and more than enough for the others. Paper: Figure 2.',
  cells: (_, others) => [...LINUX_FIRST, ...others].map((name) => makeCell(name, 1, 1)),
  draw: (runs) =>
    comparedIn(runs, LINUX_FIRST).flatMap((name) => {
      const [run] = runsWhere(
        runs,
        (cell) => isPlain(cell) && cell.congestion === name && cell.flows === 1 && cell.buffer_bdp === 1,
      );
      return run
        ? [queueChart(run, { title: name, color: congestionColor(name), most: run.buffer_packets * 1.05 })]
        : [];
    }),
};
