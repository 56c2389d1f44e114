import { contentHash } from '../../../../system/cache.ts';
import type { Link, LinkRate } from '../link.ts';
import { readTrace } from '../traces.ts';
import type { TracedLink } from './read-traces.ts';

/** The SHA-256 of what networks carry, in their order, whatever their names; a trace in a file counts by its content. */
export async function tracesHash(networks: readonly Pick<TracedLink, 'link'>[]): Promise<string> {
  const carried = networks.map(async ({ link: { rate, ...link } }: { link: Link }) => ({
    ...link,
    rate: await carriedBy(rate),
  }));
  return contentHash(await Promise.all(carried));
}

/** The SHA-256 of a rate over time, whatever the rest of the link. */
export const rateHash = async (rate: LinkRate): Promise<string> => contentHash(await carriedBy(rate));

const carriedBy = async (rate: LinkRate) =>
  rate.kind === 'trace' ? (await readTrace(rate, 'downlink')).opportunities_ms : rate;
