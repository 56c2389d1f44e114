import type { PlannedExhibit } from '../../claims/planned.ts';
import { IN_A_WORLD, eventStudy, switchback, tte } from './world.ts';

export const figure10: PlannedExhibit = {
  name: 'Figure 10',
  section: '§5.4',
  shows:
    'A switchback experiment finds what the paired links find, with wider intervals; an event study mostly.',
  rows: [
    { what: 'throughput: paired links', unit: '%', paper: 12, from: tte('chunk_throughput_kbps') },
    { what: 'throughput: switchback', unit: '%', paper: 12, from: switchback('chunk_throughput_kbps') },
    {
      what: 'throughput: event study',
      unit: '%',
      paper: 'biased',
      claim: null,
      from: eventStudy('chunk_throughput_kbps'),
    },
    { what: 'minimum RTT: paired links', unit: '%', paper: -24, from: tte('min_rtt_ms') },
    { what: 'minimum RTT: switchback', unit: '%', paper: -24, from: switchback('min_rtt_ms') },
    { what: 'minimum RTT: event study', unit: '%', paper: -24, from: eventStudy('min_rtt_ms') },
    { what: 'play delay: paired links', unit: '%', paper: -10, from: tte('play_delay_ms') },
    { what: 'play delay: switchback', unit: '%', paper: -10, from: switchback('play_delay_ms') },
  ],
  note: `${IN_A_WORLD}. Switchback and event study are emulated from the paired links, as in the paper: capped on Wednesday, Friday and Sunday, and from Friday on. Weekends have more load, so the event study compares busier days with others.`,
};
