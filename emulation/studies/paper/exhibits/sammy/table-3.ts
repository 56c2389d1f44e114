import { LESS, MORE, noChange } from '../../claims/exhibit.ts';
import type { PlannedExhibit } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';

const { change, difference } = sourcesOf('alone');

export const table3: PlannedExhibit = {
  name: 'Table 3',
  section: '§5.4, §5.5',
  shows:
    'Only what Sammy changes at the start, without a pace: a slightly better first picture; and the naive baseline, which paces everything at four times the top bitrate.',
  rows: [
    {
      what: 'start only: SSIM of the first 20 s (paper: VMAF, +0.3%)',
      unit: 'dB',
      paper: 'more',
      ...MORE,
      from: difference('initial_ssim_db', 'initial-only', 'dashjs'),
    },
    {
      what: 'start only: SSIM',
      unit: 'dB',
      paper: 'no change',
      ...noChange(0.1),
      from: difference('mean_ssim_db', 'initial-only', 'dashjs'),
    },
    {
      what: 'start only: play delay',
      unit: '%',
      paper: [-0.4, -0.7, -0.1],
      from: change('play_delay_ms', 'initial-only', 'dashjs'),
    },
    {
      what: 'naive baseline: chunk throughput',
      unit: '%',
      paper: -53,
      from: change('chunk_throughput_kbps', 'naive-4x', 'dashjs'),
    },
    {
      what: 'naive baseline: play delay',
      unit: '%',
      paper: 6,
      from: change('play_delay_ms', 'naive-4x', 'dashjs'),
    },
    {
      what: 'naive baseline: SSIM (paper: VMAF, -0.2%)',
      unit: 'dB',
      paper: 'less',
      ...LESS,
      from: difference('mean_ssim_db', 'naive-4x', 'dashjs'),
    },
  ],
  note: 'On one fast link, beside stock dash.js instead of Netflix’s algorithm. Stock dash.js begins at a low rung and replaces it; whether that shows depends on the link.',
};
