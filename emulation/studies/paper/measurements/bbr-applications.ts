import type { Measurement } from '../measurement.ts';
import { shareLink, type Applications } from './applications.ts';

const bbr = (name: string, path: Partial<Applications>, which: string): Measurement => ({
  name,
  about: `Ten applications at 10 Gbit/s and 1 ms, of which 0 to 10 send by bbr instead of cubic, by the rules of Linux 5.5, ${which}, in virtual time.`,
  cost_s: { quick: 25, full: 60 },
  seeds: { quick: 3, full: 10 },
  measure: ({ seed, quick }) =>
    shareLink({ comparison: 'congestion-control', rules: '5.5', ...path }, { seed, seconds: quick ? 4 : 8 }),
});

/** As the paper states its lab. */
export const bbrOneBdp = bbr(
  'bbr-applications',
  {},
  'in bursts of up to 64 kB and a queue of one bandwidth-delay product',
);
/** Room for what bbr keeps in flight: what switches the cubic minority's win on. */
export const bbrTwoBdp = bbr(
  'bbr-applications-2bdp',
  { burst_packets: 1, buffer_bdp: 2 },
  'in single packets and a queue of two bandwidth-delay products',
);
