import type { PlannedExhibit, PlannedRow } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';

const { level } = sourcesOf('queue-sizes');
/** Points of the theory's mean utilization. */
const BY_THEORY = { unit: '%', level: true, claim: { of: 'size', margin: 5 } } satisfies Partial<PlannedRow>;
const mean = (buffer_bdp: number) => level('mean_pct', `1 flow, ${buffer_bdp} BDP`);

export const figure3: PlannedExhibit = {
  name: 'Figure 3',
  section: '§3.5, §3.6',
  shows:
    'How busy one flow keeps the link, by the size of the buffer: as the theory says, above some twenty packets.',
  rows: [
    {
      what: 'Reno, 1 BDP: 1st percentile, by the theory',
      unit: '%',
      level: true,
      paper: 100,
      claim: { of: 'size', margin: 1 },
      from: level('p1_8rtt_pct', '1 flow, 1 BDP'),
    },
    { what: 'Reno, 0.5 BDP: mean, by the theory', ...BY_THEORY, paper: 96.5, from: mean(0.5) },
    { what: 'Reno, 0.25 BDP: mean, by the theory', ...BY_THEORY, paper: 89.2, from: mean(0.25) },
    { what: 'Reno, 0.1 BDP: mean, by the theory', ...BY_THEORY, paper: 81.9, from: mean(0.1) },
  ],
  note: 'By a model of Linux’s sender. The log has real flows through the P4 switch, and the other congestion controls. The paper’s text has no numbers; these are its theory’s, and the means by the same assumptions.',
};
