import { LESS, MORE, noChange, SHOWN } from '../claims/exhibit.ts';
import { comparedRow, type PlannedExhibit } from '../claims/planned.ts';
import { makeSources } from '../claims/source.ts';

const bound = makeSources('pace-bound').level;
/** Eq. 1 and HYB agree, except for buffer levels that are not a multiple of the segment's duration. */
const EQUATION = { level: true, claim: { of: 'size', margin: 0.02 } } as const;

export const figure2: PlannedExhibit = {
  name: 'Figure 2',
  section: '§4.2, Eq. 1',
  shows:
    'Which bitrate HYB picks at which buffer and throughput, and the pace below which it would pick less.',
  rows: [
    comparedRow(
      'least throughput for the top rung over Eq. 1, empty buffer',
      '',
      1,
      bound('least_over_bound', 'empty buffer'),
      EQUATION,
    ),
    comparedRow(
      'the same, buffers of a segment to 60 s',
      '',
      1,
      bound('least_over_bound', 'filled buffer'),
      EQUATION,
    ),
    comparedRow(
      'least pace of Algorithm 1 over Eq. 1, filled buffers',
      '',
      'always above',
      bound('least_pace_over_bound_less_1', 'filled buffer'),
      { level: true, ...MORE },
    ),
  ],
  note: 'The bound is computed from the equation, the choices by asking the plug-in’s HYB for drawn bitrates, β, lookaheads and buffers. The last row is the least of all drawn paces, with 3.2 and 2.8 times the top bitrate, less 1.',
};

const at = (mbps: number) =>
  makeSources('networks').change('chunk_throughput_kbps', `sammy-paper@${mbps}mbps`, `dashjs@${mbps}mbps`);

export const figure3: PlannedExhibit = {
  name: 'Figure 3',
  section: '§5.1',
  shows: 'The faster the user’s network, the more Sammy lowers the chunk throughput.',
  rows: [
    comparedRow('below 6 Mbit/s (ours: 4)', '%', 'no clear change', at(4), noChange(10)),
    comparedRow('6 to 15 Mbit/s (ours: 10)', '%', 'less', at(10), LESS),
    comparedRow('15 to 30 Mbit/s (ours: 22)', '%', 'less', at(22), LESS),
    comparedRow('30 to 90 Mbit/s (ours: 60)', '%', 'less', at(60), LESS),
    comparedRow('above 90 Mbit/s (ours: 120)', '%', -74, at(120)),
  ],
  note: 'Links in the middle of the paper’s bands instead of a population. At 10 Mbit/s the link is no faster than three times the top bitrate, so a pace there holds little back.',
};

const grid = makeSources('pace-grid');
const UNPACED = 'dashjs@unpaced';

export const figure5: PlannedExhibit = {
  name: 'Figure 5',
  section: '§5.3, §5.5',
  shows: 'Lower paces lower the chunk throughput further, and at last the quality.',
  rows: [
    comparedRow(
      'chunk throughput, 3.2 and 2.8 times the top',
      '%',
      -61,
      grid.change('chunk_throughput_kbps', 'sammy-paper@3.2-2.8', UNPACED),
    ),
    comparedRow(
      'quality there (paper: VMAF)',
      'dB',
      '+0.04%',
      grid.difference('mean_ssim_db', 'sammy-paper@3.2-2.8', UNPACED),
      noChange(0.1),
    ),
    comparedRow(
      'chunk throughput at the lowest pace',
      '%',
      -80,
      grid.change('chunk_throughput_kbps', 'sammy-paper@1.5-1', UNPACED),
      { claim: { of: 'at most' } },
    ),
    comparedRow(
      'quality there (paper: VMAF)',
      'dB',
      '-0.07%',
      grid.difference('mean_ssim_db', 'sammy-paper@1.5-1', UNPACED),
      LESS,
    ),
    comparedRow(
      'lowest pace less highest: chunk throughput',
      '%',
      'less',
      grid.change('chunk_throughput_kbps', 'sammy-paper@1.5-1', 'sammy-paper@4-4'),
      LESS,
    ),
  ],
  note: 'Seven pairs of constants on a fast link; the networks of the paper’s users differ. That quality falls at the lowest pace is not reproduced here: the link has a constant rate above every pace, so that the player’s buffer grows with each of them, and the difference is below a thousandth of a dB.',
};

const memory = makeSources('memory');
const [WITHOUT_HISTORY, WITH_HISTORY] = [
  'sammy-paper@4mbps-without-history',
  'sammy-paper@4mbps-with-history',
];
const returning = makeSources('returning-viewers');
const compareSsim = (period: string) =>
  returning.difference('initial_ssim_db', `treatment, ${period}`, `control, ${period}`);
const compareBitrate = (period: string) =>
  returning.change('initial_bitrate_kbps', `treatment, ${period}`, `control, ${period}`);
/** The treatment's SSIM less the control's, in a period of the experiment. */
const ssimGap = (period: string) => `treatment less control, ${period}`;

export const figure6: PlannedExhibit = {
  name: 'Figure 6',
  section: '§5.7',
  shows: 'Sessions without history start at lower quality and take long to catch up.',
  rows: [
    comparedRow(
      'SSIM, first 20 s',
      'dB',
      'lower',
      memory.difference('initial_ssim_db', WITHOUT_HISTORY, WITH_HISTORY),
      LESS,
    ),
    comparedRow(
      'bitrate, first 20 s',
      '%',
      'lower',
      memory.change('initial_bitrate_kbps', WITHOUT_HISTORY, WITH_HISTORY),
      LESS,
    ),
    comparedRow('returning viewers, day 1: SSIM, first 20 s', 'dB', 'much lower', compareSsim('day 1'), LESS),
    comparedRow('the same on day 7', 'dB', 'still lower', compareSsim('day 7'), LESS),
    comparedRow('the same in the second week', 'dB', null, compareSsim('week 2'), SHOWN),
    comparedRow(
      'size of the difference on day 7, compared with day 1',
      '%',
      'smaller',
      returning.change('initial_ssim_db', ssimGap('day 7'), ssimGap('day 1')),
      LESS,
    ),
    comparedRow(
      'difference on day 7 less that on day 3',
      'dB',
      'closer only after a week',
      returning.difference('initial_ssim_db', ssimGap('day 7'), ssimGap('day 3')),
      MORE,
    ),
    comparedRow('returning viewers, day 1: bitrate, first 20 s', '%', 'lower', compareBitrate('day 1'), LESS),
    comparedRow('the same on day 7', '%', 'still lower', compareBitrate('day 7'), LESS),
    comparedRow(
      'if stored throughputs did not age, day 1: SSIM, first 20 s',
      'dB',
      null,
      compareSsim('day 1, ageless'),
      SHOWN,
    ),
    comparedRow('the same on day 7', 'dB', null, compareSsim('day 7, ageless'), SHOWN),
    comparedRow('the same in the second week', 'dB', null, compareSsim('week 2, ageless'), SHOWN),
  ],
  note: 'The first two rows are a viewer’s first sessions at 4 Mbit/s, with dash.js itself. At 40 Mbit/s there is nothing to see. The other rows are a simulated population that plays the same visits in both arms; its networks and visits are assumed, because the paper describes neither. The treatment catches up sooner than in the paper: it is lower on days 1 to 4, and from day 5 on no difference is shown. The plug-in halves its trust in a stored throughput every day. If all stored throughputs counted as measured just now, the treatment would be lower on each day of the week, and the difference would shrink from day to day.',
};

const { change, difference, level } = makeSources('alone');

export const figure7: PlannedExhibit = {
  name: 'Figure 7',
  section: '§6',
  shows:
    'One session alone at 40 Mbit/s: after three seconds Sammy keeps below the link’s rate, and the queue stays empty.',
  rows: [
    comparedRow('chunk throughput', '%', -53, change('chunk_throughput_kbps', 'sammy-paper', 'dashjs')),
    comparedRow('median round-trip time', '%', -47, change('rtt_median_ms', 'sammy-paper', 'dashjs')),
    comparedRow(
      'median round-trip time above that of the idle link',
      'ms',
      'an empty queue',
      level('rtt_above_base_ms', 'sammy-paper'),
      { level: true, claim: { of: 'no change', margin: 0.3 } },
    ),
  ],
  note: 'Beside stock dash.js instead of Netflix’s player, at the paper’s link and top bitrate. In Chromium on a real link chunk throughput fell by as much: the log has that.',
};

const tested = (metric: string) => makeSources('paced-world').change(metric, 'treatment', 'control');

export const table2: PlannedExhibit = {
  name: 'Table 2',
  section: '§5.1, §5.2',
  shows: 'A/B test on Netflix users: lower throughput, loss and delay, with no loss of quality.',
  rows: [
    comparedRow('chunk throughput', '%', [-61, -61.8, -60.2], tested('chunk_throughput_kbps')),
    comparedRow('retransmitted', '%', [-35.5, -37.8, -33.4], tested('retransmit_pct')),
    comparedRow('median round-trip time', '%', [-13.7, -16.4, -12.3], tested('rtt_median_ms')),
    comparedRow('play delay', '%', [-1.29, -2, -0.6], tested('play_delay_ms')),
    comparedRow(
      'bitrate of the first 20 s (paper: VMAF, +0.14%)',
      '%',
      'more',
      tested('initial_bitrate_kbps'),
      MORE,
    ),
    comparedRow('sessions with rebuffers', '%', [0, -7.1, 4], tested('rebuffered_pct'), noChange(7.1)),
    comparedRow('rebuffers per hour', '%', [0, -17.1, 3.6], tested('rebuffers_per_hour'), noChange(17.1)),
    comparedRow('bitrate (paper: VMAF, +0.04%)', '%', 'no change', tested('mean_bitrate_kbps'), noChange(2)),
  ],
  note: 'A simulated population whose sessions share one full link, and a fluid model of it without slow start and bursts: treated and untreated sessions lose packets of the same queue, so a test of this kind can find no difference in loss. Both arms choose the first bitrates alike, while the paper’s treatment also starts better.',
};

export const table3: PlannedExhibit = {
  name: 'Table 3',
  section: '§5.4, §5.5',
  shows:
    'Only what Sammy changes at the start, without a pace: a slightly better first picture; and the naive baseline, which paces everything at four times the top bitrate.',
  rows: [
    comparedRow(
      'start only: SSIM of the first 20 s (paper: VMAF)',
      'dB',
      '+0.3%',
      difference('initial_ssim_db', 'initial-only', 'dashjs'),
      MORE,
    ),
    comparedRow(
      'start only: SSIM',
      'dB',
      'no change',
      difference('mean_ssim_db', 'initial-only', 'dashjs'),
      noChange(0.1),
    ),
    comparedRow(
      'start only: play delay',
      '%',
      [-0.4, -0.7, -0.1],
      change('play_delay_ms', 'initial-only', 'dashjs'),
    ),
    comparedRow(
      'start only: rebuffer ratio (paper: rebuffers, −1.6 to +1.8%)',
      '',
      'no change',
      difference('rebuffer_ratio', 'initial-only', 'dashjs'),
      noChange(0.005),
    ),
    comparedRow(
      'naive baseline: chunk throughput',
      '%',
      -53,
      change('chunk_throughput_kbps', 'naive-4x', 'dashjs'),
    ),
    comparedRow('naive baseline: play delay', '%', 6, change('play_delay_ms', 'naive-4x', 'dashjs')),
    comparedRow(
      'naive baseline: SSIM (paper: VMAF)',
      'dB',
      '-0.2%',
      difference('mean_ssim_db', 'naive-4x', 'dashjs'),
      LESS,
    ),
  ],
  note: 'On one fast link, beside stock dash.js instead of Netflix’s algorithm. Stock dash.js begins at a low rung and replaces it; whether that shows depends on the link. The naive baseline’s longer play delay is not reproduced here: at four times the top bitrate the first frame comes as soon as without a pace. It was 34% later in a model that let segments wait for paced bytes that had not been sent yet.',
};
