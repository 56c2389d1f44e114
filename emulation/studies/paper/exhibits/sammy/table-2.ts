import { noChange } from '../../claims/exhibit.ts';
import type { PlannedExhibit } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';

const { change } = sourcesOf('paced-world');
const tested = (metric: string) => change(metric, 'treatment', 'control');

export const table2: PlannedExhibit = {
  name: 'Table 2',
  section: '§5.1, §5.2',
  shows: 'A/B test on Netflix users: lower throughput, loss and delay, with no loss of quality.',
  rows: [
    {
      what: 'chunk throughput',
      unit: '%',
      paper: [-61, -61.8, -60.2],
      from: tested('chunk_throughput_kbps'),
    },
    { what: 'retransmitted', unit: '%', paper: [-35.5, -37.8, -33.4], from: tested('retransmit_pct') },
    {
      what: 'median round-trip time',
      unit: '%',
      paper: [-13.7, -16.4, -12.3],
      from: tested('rtt_median_ms'),
    },
    { what: 'play delay', unit: '%', paper: [-1.29, -2, -0.6], from: tested('play_delay_ms') },
    {
      what: 'bitrate (paper: VMAF, +0.04%)',
      unit: '%',
      paper: 'no change',
      ...noChange(2),
      from: tested('mean_bitrate_kbps'),
    },
  ],
  note: 'A simulated population whose sessions share one full link, and a fluid model of it without slow start and bursts: treated and untreated sessions lose packets of the same queue, so a test of this kind can find no difference in loss. Both arms start alike, while the paper’s treatment also starts better.',
};
