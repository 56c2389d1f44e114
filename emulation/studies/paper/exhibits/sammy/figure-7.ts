import type { PlannedExhibit } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';

const { change, level } = sourcesOf('alone');

export const figure7: PlannedExhibit = {
  name: 'Figure 7',
  section: '§6',
  shows:
    'One session alone at 40 Mbit/s: after three seconds Sammy keeps below the link’s rate, and the queue stays empty.',
  rows: [
    {
      what: 'chunk throughput',
      unit: '%',
      paper: -53,
      from: change('chunk_throughput_kbps', 'sammy', 'dashjs'),
    },
    {
      what: 'median round-trip time',
      unit: '%',
      paper: -47,
      from: change('rtt_median_ms', 'sammy', 'dashjs'),
    },
    {
      what: 'median round-trip time above that of the idle link',
      unit: 'ms',
      level: true,
      paper: 'an empty queue',
      claim: { of: 'no change', margin: 0.3 },
      from: level('rtt_above_base_ms', 'sammy'),
    },
  ],
  note: 'Beside stock dash.js instead of Netflix’s player, at the paper’s link and top bitrate. In Chromium on a real link chunk throughput fell by as much: the log has that.',
};
