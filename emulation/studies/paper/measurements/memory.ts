import type { Measurement } from '../measurement.ts';
import { measureSessions, PAGE } from '../sessions.ts';
import { history } from '../../experiments/history.ts';

/** Sessions after sessions of one viewer. */
export const memory: Measurement = {
  name: 'memory',
  about:
    "A viewer's sessions of 30 s, one after the other, at 4 Mbit/s and 40 ms: with a history of this network, and begun without one. dash.js itself in virtual time.",
  cost_s: { quick: 6, full: 10 },
  seeds: { quick: 5, full: 10 },
  measure: (measuring) =>
    measureSessions(
      history,
      {
        options: {
          conditions: ['4mbps-with-history', '4mbps-without-history'],
          runs: measuring.quick ? 3 : 5,
        },
        place: PAGE,
        metrics: ['initial_ssim_db', 'initial_bitrate_kbps', 'mean_ssim_db', 'play_delay_ms'],
      },
      measuring,
    ),
};
