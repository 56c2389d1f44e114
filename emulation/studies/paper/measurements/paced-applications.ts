import type { Measurement } from '../measurement.ts';
import { shareLink, type Applications } from './applications.ts';

const paced = (name: string, rules: Applications['rules'], differs: string): Measurement => ({
  name,
  about: `Ten applications at 10 Gbit/s and 1 ms, of which 0 to 10 pace their Reno connection; senders by the rules of Linux ${rules}, dropped at the front of a queue of one bandwidth-delay product, in virtual time.${differs}`,
  cost_s: { quick: 20, full: 60 },
  seeds: { quick: 3, full: 10 },
  measure: ({ seed, quick }) => shareLink({ comparison: 'pacing', rules }, { seed, seconds: quick ? 4 : 12 }),
});

/** By the rules of the paper's own kernel. */
export const pacedApplications = paced('paced-applications', '5.5', '');
/** By rules of today: what switches the effect off. */
export const pacedToday = paced(
  'paced-applications-6.1',
  '6.1',
  ' The same seeds as paced-applications, whose senders do not note that the window limits them when it makes them send nothing.',
);
