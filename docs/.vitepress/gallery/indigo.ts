import { MORE, SHOWN, type Exhibit } from '../../../emulation/studies/paper/claims/exhibit.ts';

/**
 * Indigo on the thesis's 210 synthetic networks (§3.7.3, Appendix D). What is compared was committed before any controller had run
 * on them; transport/PROTOCOL.md has the rest.
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
        ours: null,
        claim: { of: 'size', margin: 18 },
      },
      { what: 'networks where Indigo is first', unit: '%', level: true, paper: 83, ours: null, ...SHOWN },
      {
        what: 'Indigo: mean power',
        unit: '',
        paper: 0.53,
        ours: null,
        claim: { of: 'size', margin: 0.25 },
      },
      { what: 'bbr', unit: '', paper: -0.231, ours: null, ...SHOWN },
      { what: 'cubic', unit: '', paper: -1.1, ours: null, ...SHOWN },
      { what: 'Indigo less bbr: mean power', unit: '', paper: 0.761, ours: null, ...MORE },
      { what: 'Indigo less cubic: mean power', unit: '', paper: 1.63, ours: null, ...MORE },
    ],
    origin: null,
    note: 'Not run yet.',
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
        ours: null,
        ...MORE,
      },
    ],
    origin: null,
    note: 'Not run yet.',
  },
];
