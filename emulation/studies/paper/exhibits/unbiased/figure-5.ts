import type { PlannedExhibit } from '../../claims/planned.ts';
import { IN_A_WORLD, spillover, testAt5, testAt95, tte } from './world.ts';

export const figure5: PlannedExhibit = {
  name: 'Figure 5',
  section: '§4.3',
  shows: 'Capped bitrates relieve a full link for everybody; A/B tests within a link do not see it.',
  rows: [
    { what: 'A/B test at 5%: throughput', unit: '%', paper: -5, from: testAt5('chunk_throughput_kbps') },
    { what: 'A/B test at 95%: throughput', unit: '%', paper: -5, from: testAt95('chunk_throughput_kbps') },
    { what: 'TTE: throughput', unit: '%', paper: 12, from: tte('chunk_throughput_kbps') },
    { what: 'spillover: throughput', unit: '%', paper: 16, from: spillover('chunk_throughput_kbps') },
    { what: 'TTE: minimum RTT', unit: '%', paper: -24, from: tte('min_rtt_ms') },
    { what: 'TTE: play delay', unit: '%', paper: -10, from: tte('play_delay_ms') },
    { what: 'spillover: play delay', unit: '%', paper: -9, from: spillover('play_delay_ms') },
    { what: 'TTE: bitrate', unit: '%', paper: -33, from: tte('mean_bitrate_kbps') },
    { what: 'TTE: retransmitted', unit: '%', paper: 10, from: tte('retransmit_pct') },
  ],
  note: `${IN_A_WORLD}. Its fluid link loses packets only while its queue is full, so it has no off-peak losses, which cause the paper’s rise in retransmissions.`,
};
