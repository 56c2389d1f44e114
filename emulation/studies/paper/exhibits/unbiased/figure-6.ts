import { LESS, MORE, noChange } from '../../claims/exhibit.ts';
import type { PlannedExhibit } from '../../claims/planned.ts';
import { atPeak, baseline, IN_A_WORLD, spillover, testAt95, tte } from './world.ts';

const METRIC = 'chunk_throughput_kbps';

export const figure6: PlannedExhibit = {
  name: 'Figure 6',
  section: '§4.3',
  shows: 'Throughput over the days on both links: it falls at the peaks, and less so where most are capped.',
  rows: [
    {
      what: 'a: between the links while nobody is capped',
      unit: '%',
      paper: 'no difference',
      ...noChange(5),
      from: baseline(METRIC),
    },
    {
      what: 'peak hours over others, hardly capped',
      unit: '%',
      paper: 'drops',
      ...LESS,
      from: atPeak(METRIC, 'south, not capped'),
    },
    {
      what: 'b: mostly over hardly capped, peak hours',
      unit: '%',
      paper: 'higher',
      ...MORE,
      from: tte(METRIC, ', peak'),
    },
    {
      what: 'b: the same of those who are not capped',
      unit: '%',
      paper: 'higher',
      ...MORE,
      from: spillover(METRIC, ', peak'),
    },
    {
      what: 'b: capped and not, on one link',
      unit: '%',
      paper: 'very similar',
      ...noChange(10),
      from: testAt95(METRIC),
    },
  ],
  note: `${IN_A_WORLD}. Peak hours are 20 to 23 o’clock. The paper’s text has no numbers.`,
};
