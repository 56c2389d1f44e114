import type { Measurement } from '../measurement.ts';
import { MODEL, measureSessions } from '../sessions.ts';
import { neighbourHttp } from '../../experiments/neighbours.ts';

export const besideHttp: Measurement = {
  name: 'beside-http',
  about:
    'Sessions of 60 s with a buffer target of 240 s, beside repeated requests of 3 MB at 40 Mbit/s and 5 ms: the model of dash.js in virtual time.',
  cost_s: { quick: 3, full: 10 },
  seeds: { quick: 5, full: 10 },
  measure: (measuring) =>
    measureSessions(
      neighbourHttp,
      {
        options: {
          ...{ arms: ['dashjs', 'sammy'], conditions: ['buffer-240s'] },
          ...{ runs: measuring.quick ? 2 : 4, seconds: 60 },
        },
        place: MODEL,
        metrics: ['http_response_ms', 'chunk_throughput_kbps'],
      },
      measuring,
    ),
};
