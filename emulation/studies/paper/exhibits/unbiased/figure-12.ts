import { MORE } from '../../claims/exhibit.ts';
import type { PlannedExhibit } from '../../claims/planned.ts';
import { IN_A_WORLD, switchback, tte } from './world.ts';

export const figure12: PlannedExhibit = {
  name: 'Figure 12',
  section: '§5.3, §5.4',
  shows: 'Throughput in a switchback of whole days: the first, third and fifth day are capped.',
  rows: [
    {
      what: 'switchback',
      unit: '%',
      paper: 12,
      from: switchback('chunk_throughput_kbps'),
    },
    {
      what: 'paired links, all days',
      unit: '%',
      paper: 'more',
      ...MORE,
      from: tte('chunk_throughput_kbps'),
    },
  ],
  note: `${IN_A_WORLD}. Emulated from the paired links, as in the paper.`,
};
