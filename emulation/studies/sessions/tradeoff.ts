import { PAPER_LINK } from '../../network/links/link.ts';
import { sessionStudy } from './session-study.ts';

const GRID: readonly (readonly [c0: number, c1: number])[] = [
  [4, 4],
  [3.2, 2.8],
  [2.8, 1.6],
  [3.2, 1.1],
  [2, 2],
  [2, 1.2],
  [1.5, 1],
];

export const tradeoff = sessionStudy({
  name: 'tradeoff',
  about: 'quality against chunk throughput over a grid of c0 and c1',
  figure: 'Sammy Figure 5',
  arms: ['dashjs', 'sammy-paper'],
  runs: 3,
  seconds: 60,
  link: PAPER_LINK,
  conditions: [
    { name: 'unpaced', arms: ['dashjs'] },
    ...GRID.map(([c0, c1]) => ({ name: `${c0}-${c1}`, arms: ['sammy-paper'], sammy: { c0, c1 } })),
  ],
});
