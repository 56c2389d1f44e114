import { LESS } from '../../claims/exhibit.ts';
import type { PlannedExhibit } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';
import { eventStudy, IN_A_WORLD } from './world.ts';

const METRIC = 'chunk_throughput_kbps';

export const figure11: PlannedExhibit = {
  name: 'Figure 11',
  section: '§5.3, §5.4',
  shows: 'Throughput in an event study: 95% capped from Friday on.',
  rows: [
    { what: 'event study', unit: '%', paper: 'biased', claim: null, from: eventStudy(METRIC) },
    {
      what: 'capped from Friday on, over capped on all days',
      unit: '%',
      paper: 'biased',
      ...LESS,
      from: sourcesOf('capped-world').change(METRIC, 'event study, capped', 'north, capped'),
    },
  ],
  note: `${IN_A_WORLD}. The paper’s text names a bias and no number; here it must lower the estimate, since weekends are busier: that is the claim of the second row.`,
};
