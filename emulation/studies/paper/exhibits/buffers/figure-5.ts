import type { PlannedExhibit, PlannedRow } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';

const { level } = sourcesOf('queue-sizes');
const slope = (what: string, at: string, most: 16 | 64): PlannedRow => ({
  ...{ what, unit: '', level: true, paper: -0.5 },
  claim: { of: 'size', margin: 0.15 },
  from: level(`slope, ${at}`, `to ${most} flows`),
});

export const figure5: PlannedExhibit = {
  name: 'Figure 5',
  section: '§5.1',
  shows: 'The buffer that a utilization needs falls with the square root of the number of flows.',
  rows: [
    slope('slope of log buffer by log flows, full utilization, 1 to 64 flows', 'full', 64),
    slope('full, 1 to 16 flows', 'full', 16),
    slope('98%, 1 to 16 flows', '98%', 16),
    slope('95%, 1 to 16 flows', '95%', 16),
    slope('90%, 1 to 16 flows', '90%', 16),
    { ...slope('98%, 1 to 64 flows', '98%', 64), claim: null },
    { ...slope('95%, 1 to 64 flows', '95%', 64), claim: null },
    { ...slope('90%, 1 to 64 flows', '90%', 64), claim: null },
  ],
  note: 'By a model of Linux’s sender. 64 flows on this path have windows of three packets, at which a loss may need a timer, so below full utilization the claim is of 1 to 16 flows; the last rows show what the 64 change. Full: 99% of packets find others waiting, the measure of the paper; the others are the 1st percentile of windows of ten round trips.',
};
