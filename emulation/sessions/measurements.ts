import type { CompletedDecision } from '../../src/index.ts';
import type { RttSummary } from '../measure/rtt-digest.ts';
import type { LinkTotals } from '../measure/link-log.ts';
import type { Retransmits } from '../measure/retransmits.ts';
import type { Measured } from '../metrics.ts';
import type { Flight } from '../neighbours/neighbour.ts';
import type { Calibration } from '../links/calibrate.ts';
import type { Played } from './play.ts';

/** Sammy's buffer is judged from here on; before, every arm is still filling it. */
const STEADY_FROM_S = 20;

/** The session's metrics, from all that was measured of it, without its neighbour's. */
export function measuredOf(
  { summary, buffer, decisions }: Played,
  link: LinkTotals,
  acks: RttSummary,
  retransmits: Retransmits,
  { rtt_ms: base_ms }: Calibration,
): Measured {
  const steady = buffer.filter(([t_s]) => t_s >= STEADY_FROM_S).map(([, buffer_s]) => buffer_s);
  return {
    chunk_throughput_kbps: summary.chunk_throughput_kbps,
    playing_chunk_throughput_kbps: summary.playing_chunk_throughput_kbps,
    rtt_median_ms: acks.rtt_median_ms,
    rtt_p95_ms: acks.rtt_p95_ms,
    rtt_above_base_ms: acks.rtt_median_ms === null ? null : acks.rtt_median_ms - base_ms,
    retransmit_pct: retransmits.retransmit_pct,
    playing_retransmit_bytes: retransmits.playing_retransmit_bytes,
    queue_delay_mean_ms: link.queue_delay_mean_ms,
    queue_delay_p95_ms: link.queue_delay_p95_ms,
    dropped_packets: link.dropped_packets,
    play_delay_ms: summary.play_delay_ms,
    rebuffer_count: summary.rebuffer_count,
    // A session that never began to play was one long stall.
    rebuffer_ratio: summary.play_delay_ms === null ? 1 : summary.rebuffer_ratio,
    mean_bitrate_kbps: summary.mean_bitrate_kbps,
    initial_bitrate_kbps: summary.initial_bitrate_kbps,
    mean_ssim_db: summary.mean_ssim_db,
    initial_ssim_db: summary.initial_ssim_db,
    ssim_variation_db: summary.ssim_variation_db,
    switches: summary.switches,
    least_buffer_s: steady.length === 0 ? null : Math.min(...steady),
    replacements_abandoned: replacementsAbandoned(decisions),
  };
}

/** Downloads given up of segments that had arrived before, in another quality. */
export const replacementsAbandoned = (decisions: readonly CompletedDecision[]): number =>
  decisions.filter(
    ({ outcome, media_type, segment_start_s }, index) =>
      outcome === 'abandoned' &&
      decisions
        .slice(0, index)
        .some(
          (earlier) =>
            earlier.outcome === 'completed' &&
            earlier.media_type === media_type &&
            earlier.segment_start_s === segment_start_s,
        ),
  ).length;

/** When the session's video was on its way. */
export const flightsOf = (decisions: readonly CompletedDecision[]): Flight[] =>
  decisions
    .filter(({ media_type, from_cache }) => media_type === 'video' && !from_cache)
    .map(({ at_ms, download_ms }) => ({ from_s: at_ms / 1000, to_s: (at_ms + download_ms) / 1000 }));
