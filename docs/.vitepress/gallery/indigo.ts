import {
  measuredRow,
  MORE,
  SHOWN,
  type Exhibit,
  type Origin,
} from '../../../emulation/studies/paper/claims/exhibit.ts';

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
      measuredRow('networks where Indigo is among the best two', '%', 98, 100, {
        level: true,
        claim: { of: 'size', margin: 18 },
      }),
      measuredRow('networks where Indigo is first', '%', 83, 94.3, { level: true, ...SHOWN }),
      measuredRow('Indigo: mean power', '', 0.53, 0.14, { claim: { of: 'size', margin: 0.25 } }),
      measuredRow('bbr', '', -0.231, -4.71, SHOWN),
      measuredRow('cubic', '', -1.1, -5.68, SHOWN),
      measuredRow('Indigo less bbr: mean power', '', 0.761, [4.85, 4.63, 5.06], MORE),
      measuredRow('Indigo less cubic: mean power', '', 1.63, [5.82, 5.67, 5.97], MORE),
    ],
    origin: GRID,
    note: 'Beside quinn’s bbr and cubic, and Copa, for 8 s instead of 30. The base of the logarithm is not in the thesis; 2 is the only usual one that allows 0.53.',
  },
  {
    name: 'Figure D.1',
    section: 'Appendix D',
    shows: 'At 50 ms one way Indigo is as good as or better than the others at every rate.',
    rows: [
      measuredRow(
        'Indigo less the best of bbr, cubic and Copa: power at 50 ms, mean over rates',
        '',
        'as good or better',
        1.64,
        MORE,
      ),
    ],
    origin: GRID,
    note: 'It is first at all 21 rates.',
  },
];
