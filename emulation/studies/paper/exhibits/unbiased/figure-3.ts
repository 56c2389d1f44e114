import { noChange, SHOWN } from '../../claims/exhibit.ts';
import type { PlannedExhibit } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';

const of = (evidence: string) => {
  const { change } = sourcesOf(evidence);
  return {
    test: (treated: number) => change('throughput_kbps', `treatment@${treated}`, `control@${treated}`),
    deployed: change('throughput_kbps', 'treatment@10', 'control@0'),
  };
};
const roomy = of('bbr-applications-2bdp');
const tight = of('bbr-applications');

export const figure3: PlannedExhibit = {
  name: 'Figure 3',
  section: '§3.3',
  shows:
    'One bbr flow among cubic flows gains, one cubic flow among bbr flows gains, and identical flows share equally.',
  rows: [
    { what: 'bbr over cubic, 1 of 10', unit: '%', paper: 150, from: roomy.test(1) },
    { what: 'bbr over cubic, 9 of 10', unit: '%', paper: -75, from: roomy.test(9) },
    { what: 'deployed', unit: '%', paper: 0, ...noChange(5), from: roomy.deployed },
    { what: 'in one BDP, 1 of 10', unit: '%', paper: null, ...SHOWN, from: tight.test(1) },
    { what: 'in one BDP, 9 of 10', unit: '%', paper: null, ...SHOWN, from: tight.test(9) },
  ],
  note: 'In virtual time by the rules of Linux 5.5, in a queue of two bandwidth-delay products and single packets, before bbr measures its least round trip again. The last rows have the queue of one that the paper states, and bursts of 64 kB: what makes cubic win is room beyond the two bandwidth-delay products that bbr keeps in flight, so the paper’s path must have had more of it. The reason is unknown. The text has no sizes; the abstract has these.',
};
