import { LESS, MORE } from '../../claims/exhibit.ts';
import type { PlannedExhibit } from '../../claims/planned.ts';
import { atPeak, IN_A_WORLD, spillover, testAt5, testAt95, tte } from './world.ts';

const METRIC = 'min_rtt_ms';

export const figure8: PlannedExhibit = {
  name: 'Figure 8',
  section: '§4.3',
  shows:
    'The minimum round-trip time by hour: lower for all where most are capped, though A/B tests say higher.',
  rows: [
    { what: 'A/B test at 5%', unit: '%', paper: '+5 or +12', ...MORE, from: testAt5(METRIC) },
    { what: 'A/B test at 95%', unit: '%', paper: '+5 or +12', ...MORE, from: testAt95(METRIC) },
    { what: 'TTE', unit: '%', paper: -24, from: tte(METRIC) },
    { what: 'spillover', unit: '%', paper: -27, from: spillover(METRIC) },
    {
      what: 'peak hours over others, hardly capped',
      unit: '%',
      paper: 'a sharp increase',
      ...MORE,
      from: atPeak(METRIC, 'south, not capped'),
    },
    { what: 'TTE, peak hours', unit: '%', paper: 'less', ...LESS, from: tte(METRIC, ', peak') },
  ],
  note: `${IN_A_WORLD}. Peak hours are 20 to 23 o’clock. Both arms of a link see one queue, so nothing here makes a test find more delay.`,
};
