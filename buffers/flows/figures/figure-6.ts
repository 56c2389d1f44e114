import { makeCell } from '../paper/cell.ts';
import { depthChart } from '../charts/depth-charts.ts';
import { LINUX_FIRST, comparedIn, runsWhere, type BufferFigure } from './figure.ts';
import { isPlain } from './statistics.ts';

const FLOWS = { quick: [16], full: [1, 4, 16, 64] };
const BUFFER_BDP = 0.8;
/** Δ: each of n windows is within this factor of BDP/n. The unshaded area is Δ·BDP/√n packets wide. */
const FAIRNESS = 2;

export const figure6: BufferFigure = {
  number: 6,
  title: 'Queue depth by congestion control',
  caption:
    'As Figure 4, with a buffer of 0.8 BDP and a picture for each congestion control. Not shaded: 2 BDP/√n. The paper also ' +
    'has BBRv2, which the kernel lacks. Paper: Figure 6.',
  columns: 3,
  cells: (form, others) =>
    [...LINUX_FIRST, ...others].flatMap((name) =>
      FLOWS[form].map((flows) => makeCell(name, flows, BUFFER_BDP)),
    ),
  draw: (runs, link) =>
    comparedIn(runs, LINUX_FIRST).flatMap((name) => {
      const own = runsWhere(
        runs,
        (cell) => isPlain(cell) && cell.congestion === name && cell.buffer_bdp === BUFFER_BDP,
      );
      return own.length === 0 ? [] : [depthChart(name, own, link, FAIRNESS)];
    }),
};
