import type { PlannedExhibit } from '../../claims/planned.ts';
import { IN_A_WORLD, tte } from './world.ts';

const METRIC = 'retransmit_pct';

export const figure9: PlannedExhibit = {
  name: 'Figure 9',
  section: '§4.3',
  shows: 'Capping lowers the share of retransmitted bytes at the peak and raises it off it.',
  rows: [
    { what: 'TTE of all hours', unit: '%', paper: 10, from: tte(METRIC) },
    { what: 'TTE, peak hours', unit: '%', paper: -20, from: tte(METRIC, ', peak') },
    { what: 'TTE, other hours', unit: '%', paper: 16, from: tte(METRIC, ', off-peak') },
  ],
  note: `${IN_A_WORLD}. Peak hours are 20 to 23 o’clock. The fluid link loses packets only while its queue is full: it has none of the losses of slow starts on a free link, which are what grows, as a share, when fewer bytes are sent.`,
};
