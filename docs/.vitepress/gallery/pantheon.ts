import {
  LESS,
  measuredRow,
  MORE,
  noChange,
  SHOWN,
  type Exhibit,
  type Origin,
  type Row,
} from '../../../emulation/studies/paper/claims/exhibit.ts';
import type { Value } from '../../../emulation/studies/paper/claims/value.ts';

/** Exhibits of the thesis's chapter 3. The comparisons and their margins were committed before any run. */

/**
 * The change due to the switch's reports, in % of the result without reports, with its interval: of the throughput, and
 * of the 95th percentile of the kernel's smoothed RTT.
 */
const WITH_REPORTS: readonly (readonly [scheme: string, throughput: Value, delay: Value])[] = [
  ['cubic', [0.01, -0.03, 0.04], [0.12, 0, 0.24]],
  ['vegas', [0.07, -0.07, 0.21], [0.08, -1.03, 1.19]],
  ['bbr', [-0.04, -0.24, 0.15], [2.69, -6.55, 11.93]],
];

/**
 * The wired paths of the thesis's figures of Indigo, and on each path the change in Indigo's power (throughput divided
 * by delay) due to calibrated training, %.
 */
const WIRED_PATHS: readonly (readonly [path: string, calibrated_pct: Value])[] = [
  ['wired', [-14.72, -14.72, -14.72]],
  ['deep', [24.08, 24.06, 24.1]],
];

/** The claim of the thesis about results with and without reports. */
const SAME = 'no difference, p > 0.2';

const INDIGO_ORIGIN: Origin = {
  command: 'npm run transport -- simulate --controller indigo',
  commit: '2935d6a8',
  page: '/results/log/pantheon-figures',
};

const CALIBRATE_ORIGIN: Origin = {
  command: 'npm run lab -- run calibrate --trials 40 --seconds 8 --jobs 2',
  commit: '7dbcff64',
  page: '/results/log/pantheon-figures',
};

/**
 * Compares a scheme with Indigo in throughput and delay. A scheme counts as better only if both are better by at least
 * 5%, which a plot would show.
 */
const betterThanIndigo = (where: string, ours: Value): Row =>
  measuredRow(`schemes with more throughput and less delay than Indigo, by 5% each: ${where}`, '', 0, ours, {
    level: true,
    claim: { of: 'at most' },
  });

const calibrated = (path: string, ours: Value): Row =>
  measuredRow(
    `power of Indigo trained in calibrated emulators, too, less that of Indigo: path ${path}`,
    '%',
    'better',
    ours,
    MORE,
  );

const INDIGO =
  'In quinn in virtual time, beside its cubic, reno and bbr, Copa and Vivace, on emulated paths: not beside the TCP schemes. Power is throughput over the 95th percentile of delay.';

export const pantheonExhibits: readonly Exhibit[] = [
  {
    name: 'Table 3.1',
    section: '§3.3',
    shows: 'The Pantheon runs 16 schemes behind one interface, by wrappers of some 46 lines.',
    rows: [
      measuredRow('schemes', '', 16, 17, { level: true, ...SHOWN }),
      // The paper's 46 is the median of the table's 16 numbers.
      measuredRow('lines of a wrapper, median', '', 46, 46, {
        level: true,
        isCount: true,
        claim: { of: 'at most' },
      }),
    ],
    origin: {
      command: 'sudo npm run lab -- run pantheon --quick',
      commit: '87efcefa',
      page: '/results/log/pantheon',
    },
    note: 'Seventeen run on a machine as it is, eleven more in the virtual machine’s kernel. Copa, Vivace, LEDBAT, QUIC, BBR, Cubic, Vegas and WebRTC’s control are in both; PCC, SCReAM, Sprout, Tao and Verus are not here.',
  },
  {
    name: 'Figure 3.1',
    section: '§3.3',
    shows: 'What reports every packet does not change what it measures.',
    rows: WITH_REPORTS.flatMap(([scheme, throughput, delay]) => [
      measuredRow(`${scheme}: throughput with reports`, '%', SAME, throughput, noChange(2)),
      measuredRow(`${scheme}: delay with reports`, '%', SAME, delay, noChange(10)),
    ]),
    origin: {
      command: 'sudo npm run lab -- run postcards',
      commit: '47cd4c85',
      page: '/results/log/pantheon-figures',
    },
    note: '20 runs of 8 s of each scheme with reports and 20 without, instead of 50 of 30 s. The smallest of the six p-values of the two-sample Kolmogorov-Smirnov test is 0.17. A change of BBR’s delay by less than 12% cannot be ruled out.',
  },
  {
    name: 'Figure 3.2',
    section: '§3.4',
    shows: 'Which scheme is best differs by path, and delays differ by orders of magnitude.',
    rows: [
      measuredRow(
        'paths whose best scheme by power is not that of the path wired',
        '',
        'it varies by path',
        1,
        { level: true, ...MORE },
      ),
      measuredRow('most over least delay, cellular path', 'times', 20, 4.3, { level: true, ...SHOWN }),
      measuredRow('bbr less cubic: delay, path wired', '%', 'lower or higher, by path', -61, SHOWN),
    ],
    origin: {
      command:
        'npm run lab -- run pantheon --backend model --paths wired,shallow,deep,lossy,cellular,varying --flows 1,3 --runs 5 --seconds 20',
      commit: 'bbf6f0f',
      page: '/results/log/pantheon',
    },
    note: 'Five schemes of the packet model on six emulated paths: BBR is best where packets are lost at random, Vegas elsewhere. Real paths, directions and days are not compared.',
  },
  {
    name: 'Figure 3.3',
    section: '§3.5.3',
    shows: 'Calibrated emulators replicate the schemes’ means, and roughly their order.',
    rows: [
      measuredRow(
        'rank correlation of the schemes’ delays, path and emulator',
        '',
        'roughly preserved',
        [0.45, -0.2, 1.1],
        { level: true, ...MORE },
      ),
      measuredRow('error on the path wifi', '%', 19.1, 14.5, { level: true, ...SHOWN }),
    ],
    origin: CALIBRATE_ORIGIN,
    note: 'Six hidden paths of the packet model, five schemes each. The path in the second row has Wi-Fi’s bursts.',
  },
  {
    name: 'Table 3.2',
    section: '§3.5.3',
    shows: 'Emulators of five parameters replicate throughput and delay within 17% on average.',
    rows: [
      measuredRow('replication error, mean of six paths', '%', 17, [10.4, 3.67, 17.1], {
        level: true,
        claim: { of: 'at most' },
      }),
      measuredRow('of the scheme left out', '%', 20, [14, 3.03, 25], {
        level: true,
        claim: { of: 'at most' },
      }),
    ],
    origin: CALIBRATE_ORIGIN,
    note: 'Six hidden paths of the packet model, with intervals over paths. Beside a competing flow the error is 19.1%, on the others at most 14.5%.',
  },
  {
    name: 'Table 3.3',
    section: '§3.5.3',
    shows: 'Each of the five parameters makes the emulator better.',
    rows: [
      measuredRow('add delay', 'points', -22.1, [-0.175, -4.28, 3.93], LESS),
      measuredRow('add buffer size', 'points', -157.4, [-1108, -3041, 824], LESS),
      measuredRow('add loss', 'points', -14.6, [1.29, -2.02, 4.59], LESS),
      measuredRow('constant to Poisson, the LTE path', 'points', -10.7, -10.4, LESS),
    ],
    origin: CALIBRATE_ORIGIN,
    note: 'Intervals over six paths, which differ by two orders of magnitude: without its queue, the policer has an error of 4,858%. On each path the queue takes off most of the error, and loss changes only that of the LTE path, by +7.7 points.',
  },
  {
    name: 'Figure 3.4',
    section: '§3.7.3',
    shows: 'Indigo alone is at the frontier of throughput and delay, the better for calibrated emulators.',
    rows: [
      ...WIRED_PATHS.map(([path]) => betterThanIndigo(`alone, path ${path}`, [0, 0, 0])),
      ...WIRED_PATHS.map(([path, change_pct]) => calibrated(path, change_pct)),
    ],
    origin: INDIGO_ORIGIN,
    note: `${INDIGO} That training in calibrated emulators helps on both paths is not reproduced here: it is worse on one and better on the other. Those emulators were computed, not fitted.`,
  },
  {
    name: 'Figure 3.5',
    section: '§3.7.3',
    shows: 'Indigo with several flows is at the frontier, and shares the bandwidth fairly.',
    rows: [
      betterThanIndigo('three flows, path wired', [0, 0, 0]),
      measuredRow(
        'Indigo: 1 less Jain’s index, while all three flows run',
        '',
        'shares fairly',
        [0.191, 0.178, 0.205],
        { level: true, ...noChange(0.1) },
      ),
    ],
    origin: INDIGO_ORIGIN,
    note: `${INDIGO} That flows share fairly is not reproduced here: the later a flow begins, the larger a queue it takes for the path’s own delay, and the more it gets (1.5, 4.2 and 6.3 Mbit/s). From calibrated emulators, too, it shares better: 0.082.`,
  },
];
