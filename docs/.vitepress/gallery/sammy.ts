import {
  difference,
  measuredRow,
  outline,
  type Paper,
} from '../../../emulation/studies/paper/claims/exhibit.ts';
import * as planned from '../../../emulation/studies/paper/exhibits/sammy.ts';
import { withEvidence } from './with-evidence.ts';

const QUICK = {
  command: 'sudo npm run lab -- run burst --runs 1 --seconds 20',
  commit: '8cc8f5d00573',
} as const;

const exhibits = withEvidence([
  outline(
    'Figure 1',
    '§1',
    'Video comes in bursts at the rate of the network; the same bytes can come smoothly.',
    'Figure 7 is its measurement, and the first page of this site plays it.',
  ),
  outline('Table 1', '§2', 'What earlier ways to smooth video give up.'),
  planned.figure2,
  planned.table2,
  planned.figure3,
  {
    name: 'Figure 4',
    section: '§5.6',
    shows: 'At twice the top bitrate, smaller bursts lose fewer packets.',
    rows: [
      measuredRow('retransmitted, bursts of 4', '%', -60, -51.7),
      measuredRow('bursts of 10', '%', null, -64.9),
      measuredRow('bursts of 20', '%', null, -52.1),
      measuredRow('bursts of 40', '%', -40, -62.6),
      difference('bursts of 4, less those of 40', 'points', [-60, -40], [-51.7, -62.6]),
    ],
    origin: { ...QUICK, page: '/results/log/paper-links' },
    note: 'Paced sessions lose less than unpaced ones at each burst size, but in no order of it: one session each does not show what the figure is about. The mean queueing delay does grow with the burst, but for the last: 1.4, 2.0, 3.5 and 3.2 ms.',
  },
  planned.figure5,
  planned.table3,
  planned.figure6,
  planned.figure7,
  {
    name: 'Figure 8',
    section: '§6',
    shows: 'Beside Sammy, neighbors have less delay, more throughput, and shorter waits.',
    rows: [
      measuredRow('a: UDP, one-way delay', '%', -51, [-59, -65, -50]),
      measuredRow('b: TCP, throughput', '%', 28, [23, 21, 26]),
      measuredRow('c: HTTP, response time of 3 MB', '%', -18, [-27, -29, -25]),
      measuredRow('d: video, play delay', '%', -4, [-16, -31, 6]),
    ],
    origin: {
      command:
        'sudo npm run lab -- run neighbor-tcp --conditions buffer-240s --seconds 60 --runs 10 --jobs 2',
      commit: '343fb0e',
      page: '/results/log/neighbors',
    },
    note: 'Ten sessions an arm, likewise with neighbor-udp, -http and -video. Where the machine was busy, most of all with videos, the direction can be trusted and the last digits not; d’s interval holds 0. Part of the TCP flow’s gain is prefetch that a paced player puts off until after the minute.',
  },
]);

export const sammy: Paper = {
  key: 'sammy',
  title: 'Sammy: smoothing video traffic to be a friendly internet neighbor',
  short: 'Sammy',
  year: 2023,
  exhibits,
};
