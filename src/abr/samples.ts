import type { CompletedDecision } from '../decision.ts';
import { bytes, kbps, seconds, transferTime, type Kbps, type Seconds } from '../units.ts';

/**
 * Converts downloads to network samples. A pace-limited download is only a lower bound of the network's throughput
 * (Sammy §2.3.1). Algorithms that use single downloads must call these functions, so that they do not mistake a pace
 * for the network's limit.
 */

/** The throughput sample of a download: as measured or, if the pace limited it, at least `expected`. */
export const throughputSample = ({ achieved_kbps, pace_limited }: CompletedDecision, expected: Kbps): Kbps =>
  kbps(pace_limited ? Math.max(achieved_kbps ?? 0, expected) : (achieved_kbps ?? expected));

/**
 * The download time without a pace. For a pace-limited download, it is derived from the throughput estimate at its
 * request.
 */
export function networkTime(download: CompletedDecision): Seconds {
  const { download_ms, size_bytes, pace_limited, estimate_kbps } = download;
  const took = seconds(download_ms / 1000);
  if (!pace_limited || estimate_kbps === null) return took;
  return seconds(Math.min(took, transferTime(bytes(size_bytes), kbps(estimate_kbps))));
}
