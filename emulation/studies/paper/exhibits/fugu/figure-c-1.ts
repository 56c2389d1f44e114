import { LESS } from '../../claims/exhibit.ts';
import type { PlannedExhibit, PlannedRow } from '../../claims/planned.ts';
import { SCHEMES } from '../../measurements/schemes.ts';
import { difference, NAMES, ON_DRAWN_NETWORKS } from './schemes.ts';

export const figureC1: PlannedExhibit = {
  name: 'Figure C.1',
  section: 'Appendix C',
  shows: 'Intervals shrink from a day to eight months.',
  rows: (Object.keys(NAMES) as (keyof typeof NAMES)[]).map((scheme): PlannedRow => ({
    what: `${NAMES[scheme]}: width of the interval of SSIM, all sessions less an eighth of them`,
    ...{ unit: 'dB', paper: 'less', ...LESS },
    from: difference('ssim_interval_db', SCHEMES[scheme], `${SCHEMES[scheme]}, an eighth`),
  })),
  note: `${ON_DRAWN_NETWORKS}. The quick form’s eighth is three sessions.`,
};
