import type { Measurement } from '../measurement.ts';
import { measureSessions, PAGE } from '../sessions.ts';
import { single } from '../../experiments/single.ts';

/** A session alone on the link of Sammy §6. */
export const alone: Measurement = {
  name: 'alone',
  about:
    'Sessions of 60 s alone at 40 Mbit/s and 5 ms with a queue of 100 kB: dash.js itself in virtual time. Each seed has as many places in the content, the first of which is its beginning.',
  cost_s: { quick: 12, full: 25 },
  seeds: { quick: 5, full: 10 },
  measure: (measuring) =>
    measureSessions(
      single,
      {
        options: {
          arms: ['dashjs', 'naive-4x', 'initial-only', 'sammy'],
          runs: measuring.quick ? 2 : 4,
          seconds: 60,
        },
        place: PAGE,
        metrics: [
          'chunk_throughput_kbps',
          'rtt_median_ms',
          'rtt_above_base_ms',
          'playing_retransmit_bytes',
          'play_delay_ms',
          'mean_bitrate_kbps',
          'mean_ssim_db',
          'initial_ssim_db',
          'rebuffer_ratio',
        ],
      },
      measuring,
    ),
};
