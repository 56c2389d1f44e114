import { SessionRecorder } from '../../../../src/session/summary.ts';
import type { Measured } from '../../../player/records/metrics.ts';
import type { RunRecord } from '../../../player/records/run-record.ts';

/** A valid run with these metrics; its other fields have arbitrary values. */
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
    summary: { ...new SessionRecorder().summary(), played_s: 60, segments: 15, pacing_honored: 'unknown' },
    metrics,
  };
}
