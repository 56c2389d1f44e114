import type { PlannedExhibit } from '../../claims/planned.ts';
import { fuguLess, ON_DRAWN_NETWORKS } from './schemes.ts';

export const figure2_12: PlannedExhibit = {
  name: 'Figure 2.12',
  section: '§2.4',
  shows: 'On a cold start Fugu begins at higher quality, from TCP’s statistics.',
  rows: fuguLess({ what: 'SSIM of the first segment', unit: 'dB', metric: 'first_ssim_db' }, 'more'),
  note: `${ON_DRAWN_NETWORKS}. All begin by the throughput of the manifest and the index here: to choose the first segment by the predictor was tried, and given up.`,
};
