import { noChange, SHOWN } from '../../claims/exhibit.ts';
import type { PlannedExhibit } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';

const pair = (evidence: string) => {
  const { change } = sourcesOf(evidence);
  return {
    test: (treated: number) => change('throughput_kbps', `treatment@${treated}`, `control@${treated}`),
    deployed: (metric: string) => change(metric, 'treatment@10', 'control@0'),
    spillover: (metric: string) => change(metric, 'control@9', 'control@0'),
  };
};
const two = pair('connections');
const paced = pair('paced-applications');
const today = pair('paced-applications-6.1');

export const figure2: PlannedExhibit = {
  name: 'Figure 2',
  section: '§3.1, §3.2',
  shows:
    'The A/B test predicts a gain that deployment does not bring: a second connection doubles throughput only while others have one. Likewise, pacing costs half of the throughput only while others are not paced.',
  rows: [
    { what: 'a: two connections, 1 of 10', unit: '%', paper: 100, from: two.test(1) },
    { what: 'a: 5 of 10', unit: '%', paper: 100, from: two.test(5) },
    { what: 'a: 9 of 10', unit: '%', paper: 100, from: two.test(9) },
    {
      what: 'a: deployed, throughput',
      unit: '%',
      paper: 0,
      ...noChange(5),
      from: two.deployed('throughput_kbps'),
    },
    { what: 'a: deployed, retransmitted', unit: '%', paper: 200, from: two.deployed('retransmit_pct') },
    { what: 'a: spillover, throughput', unit: '%', paper: -25, from: two.spillover('throughput_kbps') },
    { what: 'a: spillover, retransmitted', unit: '%', paper: 175, from: two.spillover('retransmit_pct') },
    { what: 'b: paced, 1 of 10', unit: '%', paper: -50, from: paced.test(1) },
    { what: 'b: 5 of 10', unit: '%', paper: -50, from: paced.test(5) },
    { what: 'b: 9 of 10', unit: '%', paper: -50, from: paced.test(9) },
    {
      what: 'b: deployed, throughput',
      unit: '%',
      paper: 0,
      ...noChange(5),
      from: paced.deployed('throughput_kbps'),
    },
    {
      what: 'b, by the rules of Linux 6.1: 5 of 10',
      unit: '%',
      paper: null,
      ...SHOWN,
      from: today.test(5),
    },
  ],
  note: 'In virtual time, on the paper’s link and by the rules of its kernel, Linux 5.5. The last row shows the cause of the loss in b: since 5.11 Linux notes that the window limits a sender also when it makes it send nothing, so a paced window grows as others do. On a live switch and a kernel of today single paced connections lose little: the log has that. If nine applications each get twice the tenth’s share of a full link, the tenth gets 10/19 of its fair share (−47%): the paper’s −25% does not fit its own +100%.',
};
