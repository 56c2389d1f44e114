import {
  difference,
  type Exhibit,
  LESS,
  measuredRow,
  MORE,
  outline,
  type Origin,
  type Paper,
  type Row,
} from '../../../emulation/studies/paper/claims/exhibit.ts';
import * as planned from '../../../emulation/studies/paper/exhibits/buffers.ts';
import { withEvidence } from './with-evidence.ts';

const RUN: Origin = {
  command: 'sudo npm run lab -- run buffer-paper --quick',
  commit: 'c545e9ac5f27',
  page: '/results/log/buffer-paper',
};

const DRAWN = { paper: 'a picture', ours: 'a picture, in the log' } as const;
/** A figure drawn from our own runs, without a comparison of numbers. */
const drawn = (name: string, section: string, shows: string, note: string): Exhibit => ({
  name,
  section,
  shows,
  rows: [{ what: 'the figure', unit: '', ...DRAWN }],
  origin: RUN,
  note: `Drawn from our own switch and flows; no number of it was compared. ${note}`,
});

const met = (name: string, section: string, shows: string, rows: readonly Row[], note: string): Exhibit => ({
  name,
  section,
  shows,
  rows,
  origin: RUN,
  note,
});

/** A claim about the size of a slope, with the margin of the log's targets, which were committed before the runs. */
const SLOPE = { level: true, claim: { of: 'size', margin: 0.15 } } satisfies Partial<Row>;

const exhibits = withEvidence([
  outline('Table 1', '§1', 'The least buffer for a busy link, by theorem.'),
  drawn(
    'Figure 1',
    '§2',
    'The window of a Reno flow and the queue, packet by packet, around a loss.',
    'The window is the kernel’s, the queue that of the P4 switch in software.',
  ),
  planned.figure2,
  planned.figure3,
  drawn(
    'Figure 4',
    '§5.2',
    'The more flows, the closer the queue stays to full.',
    'The pictures have the part of the buffer in which the queue does not go by Theorem 5.',
  ),
  met(
    'Figure 5',
    '§5.1',
    'The buffer that a utilization needs falls with the square root of the number of flows.',
    [
      measuredRow('slope, full utilization', '', -0.5, -0.5, SLOPE),
      measuredRow('slope, 98%', '', -0.5, -0.22, SLOPE),
      measuredRow('slope, 95%', '', -0.5, -0.25, SLOPE),
      measuredRow('slope, 90%', '', -0.5, -0.32, SLOPE),
    ],
    'For full utilization, which the paper’s text is about, the slope is the rule’s over 1 to 64 flows. The buffers for 98, 95 and 90% shrink from 1 to 16 flows and no further, and miss their target; windows of three packets are not all of it. In virtual time, by a model of Linux’s sender (evidence queue-sizes), where no noise of hosts keeps flows apart and 5.7 of 16 lose packets together, 1 to 16 flows have slopes of -0.26 (full), -0.23, -0.35 and -0.53: Theorem 5 supposes flows that lose apart. So the figure stays with real senders.',
  ),
  drawn(
    'Figure 6',
    '§5.2',
    'The queue by congestion control, with a buffer of 0.8 BDP.',
    'The paper also has BBRv2, which the kernel lacks.',
  ),
  planned.figure7,
  met(
    'Figure 8',
    '§5.4',
    'With ECN more flows answer together than with drop, and the queue swings more.',
    [
      measuredRow('flows of 16 that answer in a round trip, drop', '', null, 7.5),
      measuredRow('the same, ECN', '', null, 9.4),
      { ...difference('ECN less drop', '', 'more', [9.4, 7.5]), ...MORE },
    ],
    'The paper’s text has no number; that ECN has more was the target.',
  ),
  drawn(
    'Figure 9',
    '§5.5',
    'A loss of one flow with a large window takes as much out of the queue as those of several.',
    'Here the large flow begins alone; in the paper it came about by itself.',
  ),
  planned.figure10,
  met(
    'Figure 11',
    '§5.6',
    'How unequal the windows are, Δ, against flows and buffer.',
    [
      measuredRow(
        'Δ of the smallest windows, 16 flows: with 165 packets of buffer, less that with 10',
        '',
        'falls',
        -1.3,
        LESS,
      ),
    ],
    'It falls with the buffer, as the paper’s. Sizes and other congestion controls were not compared.',
  ),
]);

export const buffers: Paper = {
  key: 'buffers',
  title: 'Updating the Theory of Buffer Sizing',
  short: 'Buffers',
  year: 2021,
  exhibits,
};
