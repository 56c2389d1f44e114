import type { PlannedExhibit } from '../../claims/planned.ts';
import {
  fuguLess,
  levels,
  ON_DRAWN_NETWORKS,
  SSIM_DB,
  STALLED,
  STALLED_PCT,
  VARIATION,
  VARIATION_DB,
} from './schemes.ts';

export const table2_1: PlannedExhibit = {
  name: 'Table 2.1',
  section: '§2',
  shows:
    'In eight months on Puffer Fugu has the best picture, which varies least, and all but the fewest stalls.',
  rows: [
    ...levels('time stalled', '%', 'stalled_pct', STALLED_PCT),
    ...levels('SSIM', 'dB', 'mean_ssim_db', SSIM_DB),
    ...fuguLess(STALLED, STALLED_PCT),
    ...fuguLess(VARIATION, VARIATION_DB),
  ],
  note: `${ON_DRAWN_NETWORKS}. The models are the package’s.`,
};
