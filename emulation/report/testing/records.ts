import type { Measured } from '../../session/metrics.ts';
import type { RunRecord } from '../../session/run-record.ts';

/** A valid run with these metrics and nothing else of interest. */
export function record(arm: string, k: number, metrics: Measured, condition?: string): RunRecord {
  return {
    arm,
    ...(condition !== undefined && { condition }),
    k,
    started: '2026-02-03T14:05:00.000Z',
    seconds: 60,
    calibration: { valid: true, rtt_ms: 5.2, expected_rtt_ms: 5, rate_mbps: 39.6, expected_rate_mbps: 40 },
    machine_busy_pct: 20,
    tcp_records_lost: 0,
    warnings: [],
    summary: {
      play_delay_ms: null,
      rebuffer_count: 0,
      rebuffer_ratio: 0,
      mean_bitrate_kbps: null,
      initial_bitrate_kbps: null,
      mean_ssim_db: null,
      initial_ssim_db: null,
      ssim_variation_db: null,
      switches: 0,
      chunk_throughput_kbps: null,
      playing_chunk_throughput_kbps: null,
      rtt_median_ms: null,
      retransmit_pct: null,
      played_s: 60,
      segments: 15,
      pacing_honored: 'unknown',
    },
    metrics,
  };
}
