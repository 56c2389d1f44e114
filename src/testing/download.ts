import type { CompletedDecision } from '../decision.ts';
import type { AbrState } from '../abr/abr.ts';
import { nextSegment } from '../abr/lookahead.ts';
import type { Rung } from '../film/ladder.ts';
import { secondsToMilliseconds, transferTime, type Kbps } from '../units.ts';

/** The record of the next segment of `rung` after an unpaced download at `throughput`. */
export function createDownload(
  state: AbrState,
  rung: Rung,
  throughput: Kbps,
  given: Partial<CompletedDecision> = {},
): CompletedDecision {
  const { size, duration } = nextSegment(state, rung);
  return {
    sequence: 0,
    at_ms: 0,
    media_type: state.mediaType,
    phase: 'playing',
    representation: rung.id,
    bitrate_kbps: rung.bitrate_kbps,
    top_bitrate_kbps: rung.bitrate_kbps,
    segment_start_s: state.nextSegmentAt,
    segment_duration_s: duration,
    buffer_s: state.buffer,
    playback_rate: state.playbackRate,
    low_latency: state.lowLatency,
    estimate_kbps: state.throughput,
    abr_reason: 'startup',
    requested_kbps: null,
    pace_reason: 'switched-off',
    multiplier: null,
    bound_kbps: null,
    outcome: 'completed',
    size_bytes: size,
    download_ms: secondsToMilliseconds(transferTime(size, throughput)),
    achieved_kbps: throughput,
    pace_limited: false,
    pacing_honored: 'unknown',
    ...given,
  };
}
