import type { CompletedDecision } from '../decision.ts';
import { CLEARLY_ABOVE } from './edge-trust.ts';

/**
 * Returns the pace that probably limited a download, kbit/s; null for none. Without a receipt, this is the requested
 * pace, unless the edge is known not to honor `rtp`, or the download was clearly faster than the pace.
 */
export function probablePace({
  applied_kbps,
  requested_kbps,
  achieved_kbps,
  pacing_honored,
}: Pick<CompletedDecision, 'applied_kbps' | 'requested_kbps' | 'achieved_kbps' | 'pacing_honored'>):
  | number
  | null {
  if (applied_kbps !== undefined) return applied_kbps;
  if (requested_kbps === null || pacing_honored === 'no') return null;
  return (achieved_kbps ?? 0) > CLEARLY_ABOVE * requested_kbps ? null : requested_kbps;
}
