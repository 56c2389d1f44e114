import type { Measurement } from '../measurement.ts';
import { measureSessions, PAGE } from '../sessions.ts';
import { networks as study } from '../../experiments/networks.ts';

export const networks: Measurement = {
  name: 'networks',
  about:
    'Sessions of 60 s alone at 4 to 120 Mbit/s and 5 ms with a queue of four bandwidth-delay products: dash.js itself in virtual time.',
  cost_s: { quick: 25, full: 50 },
  seeds: { quick: 3, full: 10 },
  measure: (measuring) =>
    measureSessions(
      study,
      {
        options: { arms: ['dashjs', 'sammy'], runs: measuring.quick ? 2 : 4, seconds: 60 },
        place: PAGE,
        metrics: [
          'chunk_throughput_kbps',
          'rtt_median_ms',
          'mean_ssim_db',
          'play_delay_ms',
          'rebuffer_ratio',
        ],
      },
      measuring,
    ),
};
