import type { AbrSession, AbrState } from '../abr/abr.ts';
import type { CompletedDecision, Decision, PacingHonored } from '../decision.ts';
import { segmentAt, type SegmentSizes } from '../film/segments.ts';
import type { LearningResult } from '../learning/network-model.ts';
import type { Transfer } from '../learning/transfer.ts';
import { withoutUndefined } from '../records.ts';
import { kbps, seconds, type Kbps } from '../units.ts';

/**
 * The multiple of a rung's bitrate at which HYB chooses the rung at any buffer level: its margin for a switch up, 1.2,
 * divided by its β, 0.8.
 */
const AMPLE_RATIO = 1.5;

/**
 * The throughput at which the algorithm would choose the next rung above `bitrate`. Above the top rung, this is an
 * estimate.
 */
export function throughputForNextRung(
  algorithm: Pick<AbrSession, 'requiredThroughput'>,
  state: AbrState,
  bitrate: Kbps,
): Kbps {
  const higher = state.ladder.find(({ bitrate_kbps }) => bitrate_kbps > bitrate);
  if (!higher) return kbps(AMPLE_RATIO * bitrate);
  const needed = algorithm.requiredThroughput(state, higher);
  return kbps(Math.max(1, Math.min(AMPLE_RATIO, needed / higher.bitrate_kbps)) * higher.bitrate_kbps);
}

/** Completes a decision's record with the result of its download. */
export function completeDecision(
  decision: Decision,
  transfer: Transfer,
  learned: LearningResult,
  pacingHonored: PacingHonored,
  sidecar: SegmentSizes | undefined,
): CompletedDecision {
  const { pace_kbps, reason, ...receipt } = transfer.receipt;
  return {
    // The new properties precede the spreads because V8 then creates and reads the record four times faster.
    outcome: transfer.outcome,
    size_bytes: transfer.size_bytes,
    download_ms: transfer.download_ms,
    achieved_kbps: learned.achieved,
    pace_limited: learned.paceLimited,
    pacing_honored: pacingHonored,
    ...decision,
    ...receipt,
    ...withoutUndefined<Partial<CompletedDecision>>({
      applied_kbps: pace_kbps,
      edge_reason: reason,
      from_cache: learned.fromCache || undefined,
      ssim_db: segmentAt(sidecar, decision.representation, seconds(decision.segment_start_s))?.ssim_db,
    }),
  };
}
