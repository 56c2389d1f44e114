import type { Measurement } from '../measurement.ts';
import { measureSessions, PAGE } from '../sessions.ts';
import { tradeoff } from '../../experiments/tradeoff.ts';

export const paceGrid: Measurement = {
  name: 'pace-grid',
  about:
    'Sessions of 60 s alone at 40 Mbit/s and 5 ms with seven pairs of the pace multiples c0 and c1, and unpaced: dash.js itself in virtual time.',
  cost_s: { quick: 20, full: 40 },
  seeds: { quick: 3, full: 10 },
  measure: (measuring) =>
    measureSessions(
      tradeoff,
      {
        options: { runs: measuring.quick ? 2 : 4, seconds: 60 },
        place: PAGE,
        metrics: ['chunk_throughput_kbps', 'mean_ssim_db', 'least_buffer_s', 'rebuffer_ratio'],
      },
      measuring,
    ),
};
