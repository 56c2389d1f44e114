import { cacheKey } from '../../system/cache.ts';
import type { TracedLink } from '../links/trace-files/read-traces.ts';
import { readTrace } from '../links/traces.ts';

/** The same for the same networks, whatever their names; a trace in a file counts by what is in it. */
export async function tracesDigest(networks: readonly TracedLink[]): Promise<string> {
  const carried = networks.map(async ({ link: { rate, ...link } }) => ({
    ...link,
    rate: rate.kind === 'trace' ? (await readTrace(rate, 'downlink')).opportunities_ms : rate,
  }));
  return cacheKey(await Promise.all(carried));
}
