import type { CompletedDecision } from '../decision.ts';
import { CLEARLY_ABOVE } from './edge-trust.ts';

/**
 * The pace that a download may be believed to have had, kbit/s; null for none. An edge that says nothing is taken at the
 * player's word, unless it is known by now to honor no `rtp`, or the download came clearly faster than it was asked to.
 */
export function believedPace({
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
