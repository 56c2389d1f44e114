import { MORE, SHOWN, type Exhibit, type Origin } from '../../../emulation/studies/paper/claims/exhibit.ts';

const GRID: Origin = {
  command: 'npm run transport -- evaluate --links grid --controllers indigo,copa,bbr,cubic --out grid.csv',
  commit: '69c54f1d',
  page: '/results/log/indigo',
};

/**
 * Exhibits of Indigo on the thesis's 210 synthetic networks (§3.7.3, Appendix D). The comparisons were committed before
 * any controller had run on these networks; transport/PROTOCOL.md describes them.
 */
export const indigoExhibits: readonly Exhibit[] = [
  {
    name: 'Table D.1',
    section: 'Appendix D',
    shows: 'Over 210 synthetic networks Indigo has the most power, throughput by delay.',
    rows: [
      {
        what: 'networks where Indigo is among the best two',
        unit: '%',
        level: true,
        paper: 98,
        ours: 100,
        claim: { of: 'size', margin: 18 },
      },
      { what: 'networks where Indigo is first', unit: '%', level: true, paper: 83, ours: 94.3, ...SHOWN },
      {
        what: 'Indigo: mean power',
        unit: '',
        paper: 0.53,
        ours: 0.14,
        claim: { of: 'size', margin: 0.25 },
      },
      { what: 'bbr', unit: '', paper: -0.231, ours: -4.71, ...SHOWN },
      { what: 'cubic', unit: '', paper: -1.1, ours: -5.68, ...SHOWN },
      { what: 'Indigo less bbr: mean power', unit: '', paper: 0.761, ours: [4.85, 4.63, 5.06], ...MORE },
      { what: 'Indigo less cubic: mean power', unit: '', paper: 1.63, ours: [5.82, 5.67, 5.97], ...MORE },
    ],
    origin: GRID,
    note: 'Beside quinn’s bbr and cubic, and Copa, for 8 s instead of 30. The base of the logarithm is not in the thesis; 2 is the only usual one that allows 0.53.',
  },
  {
    name: 'Figure D.1',
    section: 'Appendix D',
    shows: 'At 50 ms one way Indigo is as good as or better than the others at every rate.',
    rows: [
      {
        what: 'Indigo less the best of bbr, cubic and Copa: power at 50 ms, mean over rates',
        unit: '',
        paper: 'as good or better',
        ours: 1.64,
        ...MORE,
      },
    ],
    origin: GRID,
    note: 'It is first at all 21 rates.',
  },
];
