import { MORE } from '../../claims/exhibit.ts';
import type { PlannedExhibit, PlannedRow } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';

const { level } = sourcesOf('pace-bound');
/** The same function, but for segments that do not divide the buffer. */
const EQUATION = {
  unit: '',
  level: true,
  paper: 1,
  claim: { of: 'size', margin: 0.02 },
} satisfies Partial<PlannedRow>;

export const figure2: PlannedExhibit = {
  name: 'Figure 2',
  section: '§4.2, Eq. 1',
  shows:
    'Which bitrate HYB picks at which buffer and throughput, and the pace below which it would pick less.',
  rows: [
    {
      what: 'least throughput for the top rung over Eq. 1, empty buffer',
      ...EQUATION,
      from: level('least_over_bound', 'empty buffer'),
    },
    {
      what: 'the same, buffers of a segment to 60 s',
      ...EQUATION,
      from: level('least_over_bound', 'filled buffer'),
    },
    {
      what: 'least pace of Algorithm 1 over Eq. 1, filled buffers',
      unit: '',
      level: true,
      paper: 'always above',
      ...MORE,
      from: level('least_pace_over_bound_less_1', 'filled buffer'),
    },
  ],
  note: 'The bound is computed from the equation, the choices by asking the plug-in’s HYB for drawn bitrates, β, lookaheads and buffers. The last row is the least of all drawn paces, with 3.2 and 2.8 times the top bitrate, less 1.',
};
