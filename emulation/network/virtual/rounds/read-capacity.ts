import type { LinkRate } from '../../links/link.ts';
import { POISSON_UNSUPPORTED, readTrace } from '../../links/traces.ts';
import type { Capacity } from './capacity.ts';
import { constantRate, scheduledRate, tracedRate } from './rates.ts';

/** Reads the capacity of the downlink. Throws an Error of one line for a trace that is missing or malformed. */
export async function readCapacity(rate: LinkRate): Promise<Capacity> {
  switch (rate.kind) {
    case 'constant':
      return constantRate(rate.mbps);
    case 'schedule':
      return scheduledRate(rate.steps);
    case 'poisson':
      throw new Error(POISSON_UNSUPPORTED);
    case 'trace':
      return tracedRate(await readTrace(rate, 'downlink'));
  }
}
