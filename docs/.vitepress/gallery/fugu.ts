import { indigoExhibits } from './indigo.ts';
import { pantheonExhibits } from './pantheon.ts';
import {
  LESS,
  measuredRow,
  MORE,
  noChange,
  outline,
  type Origin,
  type Paper,
} from '../../../emulation/studies/paper/claims/exhibit.ts';
import * as planned from '../../../emulation/studies/paper/exhibits/fugu.ts';
import { withEvidence } from './with-evidence.ts';

const TRIAL: Origin = {
  command: 'npm run lab -- trial --days 6 --sessions-per-day 1200 --jobs 2',
  commit: 'b0dac9f',
  page: '/results/log/trial',
};
const LEARNT: Origin = {
  command: 'npm run bench -- learnt --traces FOLDER --puffer puffer.bin --out FOLDER',
  commit: '481b522',
  page: '/results/log/pensieve',
};
/** The origin of results with the model that was trained on a million decisions, rewarded by bitrate. */
const LEARNT_LONGER: Origin = {
  command: 'npm run bench -- learnt --traces FOLDER --out FOLDER',
  commit: '0c5bc14d',
  page: '/results/log/pensieve',
};

const exhibits = withEvidence([
  outline('Table 1.1', '§1.2', 'An outline of the thesis.'),
  planned.table2_1,
  outline('Figure 2.1', '§2.1', 'Switching between versions of a video.'),
  outline('Figure 2.2', '§2.1', 'A playback buffer over time.'),
  {
    name: 'Figure 2.3',
    section: '§2.1',
    shows: 'Puffer’s throughput has no discrete states, as CS2P’s data had.',
    rows: [
      measuredRow('Puffer less networks with states', '', 'fewer', [-0.45, -0.74, -0.21], LESS),
      measuredRow('Puffer less networks without', '', 'none', [0.32, 0.21, 0.46], noChange(0.2)),
      measuredRow('Oboe’s sessions less Puffer’s', '', 'more', [-0.03, -0.19, 0.11], MORE),
    ],
    origin: {
      command: 'npm run bench -- states --traces FOLDER',
      commit: '488e9139',
      page: '/results/log/traces',
    },
    note: 'How many times as many pairs of 6-second epochs of a session have the same throughput, within 5%, as without states: 1.29 on 120 streams of Puffer, 1.26 on Oboe’s. The thesis has two sessions as a picture. That Puffer’s throughput is like that of networks without states is not reproduced here; a steady throughput that sometimes collapses would look the same, and the measure cannot tell the two apart.',
  },
  outline('Figure 2.4', '§2.2', 'The website of Puffer.'),
  outline('Figure 2.5', '§2.2', 'The architecture of Puffer.'),
  {
    name: 'Figure 2.6',
    section: '§2.2',
    shows: 'Size and quality vary from chunk to chunk of one version.',
    rows: [
      measuredRow('size, 90th less 10th percentile', '% of the mean', 'varies', [40.51, 24.12, 88.62], MORE),
      measuredRow('SSIM, 90th less 10th percentile', 'dB', 'varies', [5.47, 3.24, 11.65], MORE),
    ],
    origin: LEARNT,
    note: 'The top version of the video that the lab plays, 30 segments; the intervals are of the bootstrap over them.',
  },
  {
    name: 'Figure 2.7',
    section: '§2.2',
    shows: 'Who maximizes SSIM has more of it for each byte than who maximizes bitrate.',
    rows: [
      measuredRow('Pensieve less MPC-HM', 'dB', 'less', [0.11, 0.05, 0.17], LESS),
      measuredRow('Pensieve less RobustMPC-HM', 'dB', 'less', [0.2, 0.12, 0.28], LESS),
      measuredRow('Pensieve less Fugu', 'dB', 'less', [-0.17, -0.25, -0.07], LESS),
      measuredRow('BBA less MPC-HM', 'dB', 'less', [0.08, 0.02, 0.15], LESS),
      measuredRow('BBA less RobustMPC-HM', 'dB', 'less', [0.17, 0.1, 0.25], LESS),
      measuredRow('BBA less Fugu', 'dB', 'less', [-0.19, -0.28, -0.11], LESS),
    ],
    origin: { ...LEARNT_LONGER, commit: '9cc19372' },
    note: 'SSIM beyond what the video has, all of one rung, for as many bytes, on 90 traces of Puffer and Oboe; at SSIM itself Pensieve is as good as MPC-HM here. That planners by throughput have more for their bytes than BBA and the learned rule is not reproduced here; Fugu has.',
  },
  outline('Table 2.2', '§2.2', 'What the algorithms differ in.'),
  outline('Figure 2.8', '§2.3', 'Fugu at a glance.'),
  {
    name: 'Figure 2.9',
    section: '§2.3.6',
    shows: 'Each part of the predictor is worth something; without it the squared error grows.',
    rows: [
      measuredRow('without the RTT', 's²', 'worse', [0.07, 0.01, 0.15], MORE),
      measuredRow('without the window', 's²', 'worse', [0.02, -0.02, 0.07], MORE),
      measuredRow('linear', 's²', 'much worse', [0.92, 0.6, 1.38], MORE),
      measuredRow('throughput predictor', 's²', 'much worse', [0.49, 0.11, 1.02], MORE),
      measuredRow('point estimate', 's²', 'much worse', [0.18, -0.19, 0.42], MORE),
    ],
    origin: {
      command: 'npm run learn -- ablations --data data --out ablations',
      commit: '3574de8',
      page: '/results/log/ablations',
    },
    note: 'On 492 simulated sessions. Depth, chunk sizes and the smoothed RTT help as in the thesis, whose text has no numbers. Of the point estimate and the window the intervals hold 0, and without TCP’s statistics the absolute error is even a little lower.',
  },
  {
    name: 'Figure 2.10',
    section: '§2.3.6',
    shows: 'Retraining every day is no better than a model of months ago.',
    rows: [
      measuredRow(
        'retrained less frozen: stalled',
        'points',
        'no benefit',
        [-0.15, -0.98, 0.7],
        noChange(0.2),
      ),
      measuredRow('retrained less frozen: SSIM', 'dB', 'no benefit', [0.12, -0.61, 0.85], noChange(0.2)),
    ],
    origin: TRIAL,
    note: 'Over six days of a world in which nothing drifts, so that it could hardly be otherwise; the intervals would also hold a small benefit.',
  },
  planned.figure2_11,
  planned.figure2_12,
  {
    name: 'Figure 2.13',
    section: '§2.4.1',
    shows: 'Viewers with Fugu stay 5 to 9% longer.',
    rows: [measuredRow('Fugu beside the other four', '%', [7, 5, 9], [0.56, 0.09, 1.04])],
    origin: LEARNT_LONGER,
    note: 'Nobody watches here: it is how long viewers stay who lose patience with stalls, by another paper’s measurements, so it follows from the stalls alone.',
  },
  {
    name: 'Figure 2.14',
    section: '§2.4.2',
    shows: 'Fugu trained in emulation is far worse in reality than Fugu trained in place.',
    rows: [
      measuredRow('in place less emulation: stalled', 'points', 'far fewer', [-0.18, -0.96, 0.62], LESS),
      measuredRow('in place less emulation: SSIM', 'dB', 'higher', [-0.38, -0.99, 0.23], MORE),
    ],
    origin: TRIAL,
    note: 'Learning in place is not shown to be better here. Both worlds are emulated, so the gap that the figure is about is hardly there; and what learns in place is paced and does not explore. Over real TCP, from few sessions, it stalls more (+3.71 points, 0.54 to 7.45).',
  },
  {
    name: 'Figure 2.15',
    section: '§2.4.3',
    shows: 'Pensieve trained on Puffer’s traces is somewhat better, and still worse than BBA and Fugu.',
    rows: [
      measuredRow(
        'on Puffer’s traces less original: stalled',
        'points',
        'better',
        [-0.97, -1.67, -0.35],
        LESS,
      ),
      measuredRow('on Puffer’s traces less original: SSIM', 'dB', 'better', [-0.35, -0.55, -0.15], MORE),
      measuredRow('on Puffer’s traces less BBA: stalled', 'points', 'worse', [0.16, -0.2, 0.5], MORE),
      measuredRow('on Puffer’s traces less BBA: SSIM', 'dB', 'worse', [-0.39, -0.57, -0.21], LESS),
      measuredRow('on Puffer’s traces less Fugu: stalled', 'points', 'worse', [0.18, -0.26, 0.62], MORE),
      measuredRow('on Puffer’s traces less Fugu: SSIM', 'dB', 'worse', [-0.6, -0.8, -0.41], LESS),
    ],
    origin: LEARNT,
    note: 'On 60 traces of Puffer that nothing was trained on. Trained on its other traces, the rule stalls less than the original, as BBA and Fugu do. That it also has more SSIM is not reproduced here: training rewards bitrate and punishes stalls, and the rule pays for fewer stalls with SSIM.',
  },
  ...pantheonExhibits,
  outline(
    'Figure A.1',
    'Appendix A',
    'The flow of the trial’s sessions, as CONSORT has it.',
    'It counts the viewers of one trial; the report of every trial here counts its own.',
  ),
  planned.figureC1,
  ...indigoExhibits,
]);

export const fugu: Paper = {
  key: 'fugu',
  title: 'Practical Machine Learning for Sequential Decision Problems on the Internet',
  short: 'Fugu',
  year: 2020,
  exhibits,
};
