import { contentHash } from '../../../../system/cache.ts';
import type { Link, LinkRate } from '../link.ts';
import { readTrace } from '../traces.ts';
import type { TracedLink } from './read-traces.ts';

/**
 * The SHA-256 of the networks' links in order, regardless of their names. A trace in a file is identified by its
 * content.
 */
export async function tracesHash(networks: readonly Pick<TracedLink, 'link'>[]): Promise<string> {
  const carried = networks.map(async ({ link: { rate, ...link } }: { link: Link }) => ({
    ...link,
    rate: await hashedRate(rate),
  }));
  return contentHash(await Promise.all(carried));
}

/** The SHA-256 of a rate over time, regardless of the other properties of the link. */
export const rateHash = async (rate: LinkRate): Promise<string> => contentHash(await hashedRate(rate));

const hashedRate = async (rate: LinkRate) =>
  rate.kind === 'trace' ? (await readTrace(rate, 'downlink')).opportunities_ms : rate;
