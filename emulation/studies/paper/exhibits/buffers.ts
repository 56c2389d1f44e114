import { MORE, SHOWN } from '../claims/exhibit.ts';
import { comparedRow, type PlannedExhibit } from '../claims/planned.ts';
import { makeSources } from '../claims/source.ts';

const { level } = makeSources('queue-sizes');
/** The claim that a level agrees with the theory's utilization within a margin in percentage points. */
const within = (margin: number) => ({ level: true, claim: { of: 'size', margin } }) as const;
const mean = (buffer_bdp: number) => level('mean_pct', `1 flow, ${buffer_bdp} BDP`);

const drained = (control: string) => level('drained_pct', `${control}, 1 BDP`);
const SIZE = { level: true, claim: { of: 'size' } } as const;
const SAME_MODEL =
  'By a model of Linux’s sender; the log has the pictures, of real flows through the P4 switch.';

export const figure2: PlannedExhibit = {
  name: 'Figure 2',
  section: '§3.6',
  shows: 'The queue behind one flow of Reno, Cubic, BBR and Scalable TCP with a buffer of one BDP.',
  rows: [
    comparedRow('part of the queue that drains, Reno', '%', 100, drained('reno'), SIZE),
    comparedRow('Cubic', '%', [65, 60, 70], drained('cubic'), SIZE),
    comparedRow('BBR', '%', 25, drained('bbr'), SIZE),
    comparedRow('Scalable TCP', '%', [18, 11, 25], drained('scalable'), SIZE),
  ],
  note: SAME_MODEL,
};

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

export const figure7: PlannedExhibit = {
  name: 'Figure 7',
  section: '§5.3',
  shows: 'The windows of 16 Reno flows are neither uniform nor equal.',
  rows: [
    comparedRow(
      'windows outside 3/4 to 5/4 of a fair share',
      '%',
      'some',
      level('uneven_pct', '16 flows, 1 BDP'),
      { level: true, ...MORE },
    ),
    comparedRow(
      'largest mean window of a flow over its share',
      '',
      [2.5, 2, 3],
      level('largest_window', '16 flows, 1 BDP'),
      SIZE,
    ),
  ],
  note: `${SAME_MODEL} Unequal means were not reproduced: with one sender’s rules and one round trip for all, flows are equal in the mean of 1,000 round trips, also with smaller buffers; over 50 round trips the largest is 1.3 to 1.5 times its share.`,
};

/** Theorem 5 bounds how many of n flows lose packets in a round trip: n²/(2 BDP) + √n, with a BDP of 165 packets. */
const atMost = { level: true, claim: { of: 'at most' } } as const;

export const figure10: PlannedExhibit = {
  name: 'Figure 10',
  section: '§5.6',
  shows: 'Fewer flows lose packets in the same round trip than Theorem 5 allows.',
  rows: [
    comparedRow('4 flows (paper: the bound)', 'flows', 2.05, level('loss_flows', '4 flows, 1 BDP'), atMost),
    comparedRow('16 flows', 'flows', 4.78, level('loss_flows', '16 flows, 1 BDP'), atMost),
    comparedRow('64 flows', 'flows', 20.4, level('loss_flows', '64 flows, 1 BDP'), atMost),
    ...[4, 16, 64].map((flows) =>
      comparedRow(
        `${flows} flows, round trips ±10%`,
        'flows',
        null,
        level('loss_flows', `${flows} flows, 1 BDP, round trips spread`),
        { level: true, ...SHOWN },
      ),
    ),
  ],
  note: 'By a model of Linux’s sender without the noise of hosts, with one round trip for all. That no more flows than the bound lose packets in one round trip is not reproduced here with 16 and 64 flows. It is not because all have the same round trip: the last rows, which were added after the first had been seen and are not judged, spread them. The log has real flows through the P4 switch, of runs that saw about half of the losses at the queue’s tail: they cannot show a bound from above.',
};
