import type { Measurement } from '../measurement.ts';
import { MODEL, measureSessions } from '../sessions.ts';
import { neighbourUdp } from '../../experiments/neighbours.ts';

export const besideUdp: Measurement = {
  name: 'beside-udp',
  about:
    'Sessions of 60 s with a buffer target of 240 s, beside a paced UDP flow of 5 Mbit/s at 40 Mbit/s and 5 ms: the model of dash.js in virtual time.',
  cost_s: { quick: 3, full: 10 },
  seeds: { quick: 5, full: 10 },
  measure: (measuring) =>
    measureSessions(
      neighbourUdp,
      {
        options: {
          ...{ arms: ['dashjs', 'sammy'], conditions: ['buffer-240s'] },
          ...{ runs: measuring.quick ? 2 : 4, seconds: 60 },
        },
        place: MODEL,
        metrics: ['udp_owd_ms', 'chunk_throughput_kbps'],
      },
      measuring,
    ),
};
