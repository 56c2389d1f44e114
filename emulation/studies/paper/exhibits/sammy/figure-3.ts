import { LESS, noChange } from '../../claims/exhibit.ts';
import type { PlannedExhibit } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';

const { change } = sourcesOf('networks');
const at = (mbps: number) => change('chunk_throughput_kbps', `sammy@${mbps}mbps`, `dashjs@${mbps}mbps`);

export const figure3: PlannedExhibit = {
  name: 'Figure 3',
  section: '§5.1',
  shows: 'The faster the user’s network, the more Sammy lowers the chunk throughput.',
  rows: [
    { what: 'below 6 Mbit/s (ours: 4)', unit: '%', paper: 'no clear change', ...noChange(10), from: at(4) },
    { what: '6 to 15 Mbit/s (ours: 10)', unit: '%', paper: 'less', ...LESS, from: at(10) },
    { what: '15 to 30 Mbit/s (ours: 22)', unit: '%', paper: 'less', ...LESS, from: at(22) },
    { what: '30 to 90 Mbit/s (ours: 60)', unit: '%', paper: 'less', ...LESS, from: at(60) },
    { what: 'above 90 Mbit/s (ours: 120)', unit: '%', paper: -74, from: at(120) },
  ],
  note: 'Links in the middle of the paper’s bands instead of a population. At 10 Mbit/s the link is no faster than three times the top bitrate, so a pace there holds little back.',
};
