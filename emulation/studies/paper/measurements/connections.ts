import type { Measurement } from '../measurement.ts';
import { shareLink } from './applications.ts';

export const connections: Measurement = {
  name: 'connections',
  about:
    'Ten applications at 10 Gbit/s and 1 ms, of which 0 to 10 open two Reno connections instead of one; senders by the rules of Linux 5.5, dropped at the front of a queue of one bandwidth-delay product, in virtual time.',
  cost_s: { quick: 20, full: 60 },
  seeds: { quick: 5, full: 10 },
  measure: ({ seed, quick }) =>
    shareLink({ comparison: 'connections', rules: '5.5' }, { seed, seconds: quick ? 4 : 12 }),
};
