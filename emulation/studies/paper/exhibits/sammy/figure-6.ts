import { LESS } from '../../claims/exhibit.ts';
import type { PlannedExhibit } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';

const { change, difference } = sourcesOf('memory');
const [WITHOUT, WITH] = ['sammy@4mbps-without-history', 'sammy@4mbps-with-history'];

export const figure6: PlannedExhibit = {
  name: 'Figure 6',
  section: '§5.7',
  shows: 'Sessions without history start at lower quality and take long to catch up.',
  rows: [
    {
      what: 'SSIM, first 20 s',
      unit: 'dB',
      paper: 'lower',
      ...LESS,
      from: difference('initial_ssim_db', WITHOUT, WITH),
    },
    {
      what: 'bitrate, first 20 s',
      unit: '%',
      paper: 'lower',
      ...LESS,
      from: change('initial_bitrate_kbps', WITHOUT, WITH),
    },
  ],
  note: 'A viewer’s first sessions at 4 Mbit/s; the paper’s text gives no number. At 40 Mbit/s there is nothing to see. The recovery time of one week was not tested.',
};
