import {
  LESS,
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
const betterThanIndigo = (where: string, ours: Value): Row => ({
  what: `schemes with more throughput and less delay than Indigo, by 5% each: ${where}`,
  unit: '',
  level: true,
  paper: 0,
  ours,
  claim: { of: 'at most' },
});

const calibrated = (path: string, ours: Value): Row => ({
  what: `power of Indigo trained in calibrated emulators, too, less that of Indigo: path ${path}`,
  unit: '%',
  paper: 'better',
  ours,
  ...MORE,
});

const INDIGO =
  'In quinn in virtual time, beside its cubic, reno and bbr, Copa and Vivace, on emulated paths: not beside the TCP schemes. Power is throughput over the 95th percentile of delay.';

export const pantheonExhibits: readonly Exhibit[] = [
  {
    name: 'Table 3.1',
    section: '§3.3',
    shows: 'The Pantheon runs 16 schemes behind one interface, by wrappers of some 46 lines.',
    rows: [
      { what: 'schemes', unit: '', level: true, paper: 16, ours: 17, ...SHOWN },
      // The paper's 46 is the median of the table's 16 numbers.
      {
        what: 'lines of a wrapper, median',
        unit: '',
        level: true,
        isCount: true,
        paper: 46,
        ours: 46,
        claim: { of: 'at most' },
      },
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
      {
        ...{ what: `${scheme}: throughput with reports`, unit: '%', paper: 'no difference, p > 0.2' },
        ...{ ours: throughput, ...noChange(2) },
      },
      {
        ...{ what: `${scheme}: delay with reports`, unit: '%', paper: 'no difference, p > 0.2' },
        ...{ ours: delay, ...noChange(10) },
      },
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
      {
        what: 'paths whose best scheme by power is not that of the path wired',
        unit: '',
        level: true,
        paper: 'it varies by path',
        ours: 1,
        ...MORE,
      },
      {
        what: 'most over least delay, cellular path',
        unit: 'times',
        level: true,
        paper: 20,
        ours: 4.3,
        ...SHOWN,
      },
      {
        what: 'bbr less cubic: delay, path wired',
        unit: '%',
        paper: 'lower or higher, by path',
        ours: -61,
        ...SHOWN,
      },
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
      {
        what: 'rank correlation of the schemes’ delays, path and emulator',
        unit: '',
        level: true,
        paper: 'roughly preserved',
        ours: [0.45, -0.2, 1.1],
        ...MORE,
      },
      { what: 'error on the path wifi', unit: '%', level: true, paper: 19.1, ours: 14.5, ...SHOWN },
    ],
    origin: CALIBRATE_ORIGIN,
    note: 'Six hidden paths of the packet model, five schemes each. The path in the second row has Wi-Fi’s bursts.',
  },
  {
    name: 'Table 3.2',
    section: '§3.5.3',
    shows: 'Emulators of five parameters replicate throughput and delay within 17% on average.',
    rows: [
      {
        what: 'replication error, mean of six paths',
        unit: '%',
        level: true,
        paper: 17,
        ours: [10.4, 3.67, 17.1],
        claim: { of: 'at most' },
      },
      {
        what: 'of the scheme left out',
        unit: '%',
        level: true,
        paper: 20,
        ours: [14, 3.03, 25],
        claim: { of: 'at most' },
      },
    ],
    origin: CALIBRATE_ORIGIN,
    note: 'Six hidden paths of the packet model, with intervals over paths. Beside a competing flow the error is 19.1%, on the others at most 14.5%.',
  },
  {
    name: 'Table 3.3',
    section: '§3.5.3',
    shows: 'Each of the five parameters makes the emulator better.',
    rows: [
      { what: 'add delay', unit: 'points', paper: -22.1, ours: [-0.175, -4.28, 3.93], ...LESS },
      { what: 'add buffer size', unit: 'points', paper: -157.4, ours: [-1108, -3041, 824], ...LESS },
      { what: 'add loss', unit: 'points', paper: -14.6, ours: [1.29, -2.02, 4.59], ...LESS },
      { what: 'constant to Poisson, the LTE path', unit: 'points', paper: -10.7, ours: -10.4, ...LESS },
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
      {
        what: 'Indigo: 1 less Jain’s index, while all three flows run',
        unit: '',
        level: true,
        paper: 'shares fairly',
        ours: [0.191, 0.178, 0.205],
        ...noChange(0.1),
      },
    ],
    origin: INDIGO_ORIGIN,
    note: `${INDIGO} That flows share fairly is not reproduced here: the later a flow begins, the larger a queue it takes for the path’s own delay, and the more it gets (1.5, 4.2 and 6.3 Mbit/s). From calibrated emulators, too, it shares better: 0.082.`,
  },
];
