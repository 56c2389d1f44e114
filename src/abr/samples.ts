import type { CompletedDecision } from '../decision.ts';
import { bytes, kbps, seconds, timeAt, type Kbps, type Seconds } from '../units.ts';

/**
 * What a download says of the network. One that the pace limited says only "at least this much" (Sammy §2.3.1): every
 * algorithm that looks at single downloads reads them here, so that none takes its own pace for the network's limit.
 */

/** What the network carried: as measured or, behind a pace, `expected`, unless it was more. */
export const sampleOf = ({ achieved_kbps, pace_limited }: CompletedDecision, expected: Kbps): Kbps =>
  kbps(pace_limited ? Math.max(achieved_kbps ?? 0, expected) : (achieved_kbps ?? expected));

/** How long the network alone would have taken, by what it was thought to carry then. */
export function networkTime(download: CompletedDecision): Seconds {
  const { download_ms, size_bytes, pace_limited, estimate_kbps } = download;
  const took = seconds(download_ms / 1000);
  if (!pace_limited || estimate_kbps === null) return took;
  return seconds(Math.min(took, timeAt(bytes(size_bytes), kbps(estimate_kbps))));
}
