import type { PlannedExhibit } from '../../claims/planned.ts';
import { fuguLess, ON_DRAWN_NETWORKS, SSIM, SSIM_DB, STALLED, STALLED_PCT } from './schemes.ts';

export const figure2_11: PlannedExhibit = {
  name: 'Figure 2.11',
  section: '§2.4',
  shows:
    'Stalls against SSIM by scheme, on all paths and on those below 6 Mbit/s: Fugu is better than all but one.',
  rows: [
    ...fuguLess(SSIM, SSIM_DB),
    ...fuguLess(STALLED, STALLED_PCT),
    ...fuguLess({ ...SSIM, what: 'SSIM, slow' }, 'more', ', slow'),
  ],
  note: `${ON_DRAWN_NETWORKS}. Of slow paths the text has no numbers.`,
};
