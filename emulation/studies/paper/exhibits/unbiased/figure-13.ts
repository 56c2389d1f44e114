import { MORE } from '../../claims/exhibit.ts';
import type { PlannedExhibit, PlannedRow } from '../../claims/planned.ts';
import { errorRatio, IN_A_WORLD } from './world.ts';

const row = (what: string, metric: string): PlannedRow => ({
  ...{ what, unit: '', level: true, paper: 'above 1' },
  ...MORE,
  from: errorRatio(metric),
});

export const figure13: PlannedExhibit = {
  name: 'Figure 13',
  section: 'Appendix B',
  shows: 'Intervals by hour are wider than intervals by account.',
  rows: [
    row('standard error by hour over by account, less 1: throughput', 'chunk_throughput_kbps'),
    row('minimum RTT', 'min_rtt_ms'),
    row('play delay', 'play_delay_ms'),
    row('bitrate', 'mean_bitrate_kbps'),
  ],
  note: `${IN_A_WORLD}. Of the TTE of the paired links; by hour as in Appendix B, with a lag of two hours. How much wider they are depends on the number of sessions in an hour, which is thousands of times smaller here.`,
};
