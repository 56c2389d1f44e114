import { comparedRow, type PlannedExhibit } from '../claims/planned.ts';
import { makeSources } from '../claims/source.ts';

const { level } = makeSources('queue-sizes');
/** A margin in points of the theory's utilization. */
const within = (margin: number) => ({ level: true, claim: { of: 'size', margin } }) as const;
const mean = (buffer_bdp: number) => level('mean_pct', `1 flow, ${buffer_bdp} BDP`);

export const figure3: PlannedExhibit = {
  name: 'Figure 3',
  section: '§3.5, §3.6',
  shows:
    'How busy one flow keeps the link, by the size of the buffer: as the theory says, above some twenty packets.',
  rows: [
    comparedRow(
      'Reno, 1 BDP: 1st percentile, by the theory',
      '%',
      100,
      level('p1_8rtt_pct', '1 flow, 1 BDP'),
      within(1),
    ),
    comparedRow('Reno, 0.5 BDP: mean, by the theory', '%', 96.5, mean(0.5), within(5)),
    comparedRow('Reno, 0.25 BDP: mean, by the theory', '%', 89.2, mean(0.25), within(5)),
    comparedRow('Reno, 0.1 BDP: mean, by the theory', '%', 81.9, mean(0.1), within(5)),
  ],
  note: 'By a model of Linux’s sender. The log has real flows through the P4 switch, and the other congestion controls. The paper’s text has no numbers; these are its theory’s, and the means by the same assumptions.',
};

/** n²/(2 BDP) + √n flows, with a BDP of 165 packets. */
const atMost = { level: true, claim: { of: 'at most' } } as const;

export const figure10: PlannedExhibit = {
  name: 'Figure 10',
  section: '§5.6',
  shows: 'Fewer flows lose packets in the same round trip than Theorem 5 allows.',
  rows: [
    comparedRow('4 flows (paper: the bound)', 'flows', 2.05, level('loss_flows', '4 flows, 1 BDP'), atMost),
    comparedRow('16 flows', 'flows', 4.78, level('loss_flows', '16 flows, 1 BDP'), atMost),
    comparedRow('64 flows', 'flows', 20.4, level('loss_flows', '64 flows, 1 BDP'), atMost),
  ],
  note: 'By a model of Linux’s sender without the noise of hosts, with one round trip for all. The log has real flows through the P4 switch, of runs that saw about half of the losses at the queue’s tail: they cannot show a bound from above.',
};
