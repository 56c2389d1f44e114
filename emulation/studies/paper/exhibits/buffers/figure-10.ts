import type { PlannedExhibit, PlannedRow } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';

const { level } = sourcesOf('queue-sizes');
const row = (flows: number, bound: number): PlannedRow => ({
  ...{ what: `${flows} flows (paper: the bound)`, unit: 'flows', level: true, paper: bound },
  claim: { of: 'at most' },
  from: level('loss_flows', `${flows} flows, 1 BDP`),
});

export const figure10: PlannedExhibit = {
  name: 'Figure 10',
  section: '§5.6',
  shows: 'Fewer flows lose packets in the same round trip than Theorem 5 allows.',
  rows: [row(4, 2), row(16, 4.8), row(64, 20.4)],
  note: 'Medians, by a model of Linux’s sender, in which every loss is seen; the live runs of the log missed half of the losses at the queue’s tail. All flows have one round trip and hardly any noise, which synchronizes them more than hosts do.',
};
