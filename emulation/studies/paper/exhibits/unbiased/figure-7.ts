import type { PlannedExhibit } from '../../claims/planned.ts';
import { IN_A_WORLD, spillover, testAt5, testAt95, tte } from './world.ts';

const METRIC = 'chunk_throughput_kbps';

export const figure7: PlannedExhibit = {
  name: 'Figure 7',
  section: '§4.3',
  shows: 'The mean throughputs of the four cells: capped and not, on both links.',
  rows: [
    { what: 'A/B test at 5%', unit: '%', paper: -5, from: testAt5(METRIC) },
    { what: 'A/B test at 95%', unit: '%', paper: -5, from: testAt95(METRIC) },
    { what: 'TTE', unit: '%', paper: 12, from: tte(METRIC) },
    { what: 'spillover', unit: '%', paper: 16, from: spillover(METRIC) },
  ],
  note: `${IN_A_WORLD}. A fluid link has no reason for the loss that the paper’s tests find.`,
};
