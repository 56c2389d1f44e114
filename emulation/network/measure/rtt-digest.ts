import { TDigest } from 'tdigest';
import { weightedRank } from '../../ground/statistics/percentiles.ts';
import type { AckEvent } from './ack-event.ts';

export interface RttSummary {
  /** Null if no packet arrived. */
  readonly rtt_median_ms: number | null;
  readonly rtt_p95_ms: number | null;
}

/** A centroid holds at most 4 x 0.01 x q(1 - q) of the samples around quantile q. */
const DELTA = 0.01;
/** Disables the library's compression, which shuffles at random, so that the same events give the same figures. */
const NO_COMPRESSION = 0;

/**
 * Follows Sammy §5.1: the RTT at every packet of a connection goes into a t-digest of that connection (Dunning 2021),
 * and the digests of a session's connections are merged. The trace point gives the kernel's smoothed RTT (RFC 6298), an
 * average over about eight packets. Its median equals that of the packets' RTTs; its 95th percentile is lower.
 * `from_ms` and `until_ms` are on the events' clock.
 */
export function summarizeRtt(events: readonly AckEvent[], from_ms: number, until_ms: number): RttSummary {
  const flows = new Map<string, TDigest>();
  for (const { t_ms, flow, srtt_ms } of events) {
    if (srtt_ms === 0 || t_ms < from_ms || t_ms >= until_ms) continue;
    const digest = flows.get(flow) ?? new TDigest(DELTA, NO_COMPRESSION);
    flows.set(flow, digest);
    digest.push(srtt_ms);
  }
  const session = new TDigest(DELTA, NO_COMPRESSION);
  for (const digest of flows.values()) session.push_centroid(digest.toArray());
  return { rtt_median_ms: quantile(session, 0.5), rtt_p95_ms: quantile(session, 0.95) };
}

/**
 * The mean of the centroid that holds this rank, which is at most one centroid off. The library's own quantile
 * interpolates between neighbors: if many packets had the same RTT, it may return a value between two RTTs that no
 * packet had.
 */
function quantile(digest: TDigest, q: number): number | null {
  const centroids = digest.toArray().map(({ mean, n }) => ({ value: mean, weight: n }));
  return weightedRank(centroids, q);
}
