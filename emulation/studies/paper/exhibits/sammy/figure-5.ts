import { LESS, noChange } from '../../claims/exhibit.ts';
import type { PlannedExhibit } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';

const { change, difference } = sourcesOf('pace-grid');
const UNPACED = 'dashjs@unpaced';

export const figure5: PlannedExhibit = {
  name: 'Figure 5',
  section: '§5.3, §5.5',
  shows: 'Lower paces lower the chunk throughput further, and at last the quality.',
  rows: [
    {
      what: 'chunk throughput, 3.2 and 2.8 times the top',
      unit: '%',
      paper: -61,
      from: change('chunk_throughput_kbps', 'sammy@3.2-2.8', UNPACED),
    },
    {
      what: 'quality there (paper: VMAF)',
      unit: 'dB',
      paper: '+0.04%',
      ...noChange(0.1),
      from: difference('mean_ssim_db', 'sammy@3.2-2.8', UNPACED),
    },
    {
      what: 'chunk throughput at the lowest pace',
      unit: '%',
      paper: 'more than -80',
      ...LESS,
      from: change('chunk_throughput_kbps', 'sammy@1.5-1', UNPACED),
    },
    {
      what: 'quality there',
      unit: 'dB',
      paper: '-0.07%',
      ...noChange(0.1),
      from: difference('mean_ssim_db', 'sammy@1.5-1', UNPACED),
    },
    {
      what: 'lowest pace less highest: chunk throughput',
      unit: '%',
      paper: 'less',
      ...LESS,
      from: change('chunk_throughput_kbps', 'sammy@1.5-1', 'sammy@4-4'),
    },
  ],
  note: 'Seven pairs of constants on a fast link; the networks of the paper’s users differ.',
};
