import type { CompletedDecision } from '../../../src/decision.ts';
import { probablePace } from '../../../src/learning/probable-pace.ts';
import { readTcpState } from '../../../src/wire/tcp-state.ts';
import type { Point } from '../../player/records/series.ts';
import type { Row, VIDEO_ACKED, VIDEO_SENT } from './columns.ts';
import { streamAt, type ExportedSession } from './exported-session.ts';
import { rebufferedUntil, type PlaybackSummary } from './stalls.ts';

const TICKS_PER_S = 90_000;
/** 1 kbit/s in bytes/s. */
const BYTES_PER_S = 125;

/**
 * Returns the rows of a session's video. Segments from the browser's cache are omitted, because the server did not send
 * them.
 */
export function videoRows(
  session: ExportedSession,
  story: PlaybackSummary,
): { readonly sent: Row<typeof VIDEO_SENT>[]; readonly acked: Row<typeof VIDEO_ACKED>[] } {
  const video = session.decisions.filter((each) => each.media_type === 'video' && !each.from_cache);
  return {
    sent: video.map((decision) => sentRow(session, story, decision)),
    acked: video
      .filter(({ outcome }) => outcome === 'completed')
      .map((decision) => ackedRow(session, story, decision)),
  };
}

/** When the download ended, s. */
const getEnd_s = ({ at_ms, download_ms }: CompletedDecision): number => (at_ms + download_ms) / 1000;

const ticks = (s: number): bigint => BigInt(Math.round(s * TICKS_PER_S));

function sentRow(
  session: ExportedSession,
  story: PlaybackSummary,
  decision: CompletedDecision,
): Row<typeof VIDEO_SENT> {
  const at_s = decision.at_ms / 1000;
  const { ssim_db } = decision;
  const pace_kbps = probablePace(decision);
  const now = tcpCells(decision);
  const last = tcpCells(decision.last_receipt ?? {});
  return {
    ...streamAt(session, at_s),
    video_ts: ticks(decision.segment_start_s),
    format: decision.representation,
    size: decision.size_bytes,
    ssim_index: ssim_db === undefined ? null : 1 - 10 ** (-ssim_db / 10),
    ...now,
    buffer: decision.buffer_s,
    cum_rebuf: rebufferedUntil(story, at_s),
    sequence: decision.sequence,
    duration: decision.segment_duration_s,
    outcome: decision.outcome,
    given_up: decision.outcome === 'abandoned' ? streamAt(session, getEnd_s(decision)).time : null,
    pace: pace_kbps === null ? null : pace_kbps * BYTES_PER_S,
    pace_limited: decision.pace_limited,
    last_cwnd: last.cwnd,
    last_in_flight: last.in_flight,
    last_min_rtt: last.min_rtt,
    last_rtt: last.rtt,
    last_delivery_rate: last.delivery_rate,
    last_app_limited: last.app_limited,
  };
}

/** Reads the server's TCP state from a receipt. Missing and impossible values become null. */
function tcpCells(receipt: Parameters<typeof readTcpState>[0]) {
  const { state } = readTcpState(receipt);
  return {
    cwnd: state.cwnd_packets ?? null,
    in_flight: state.in_flight_packets ?? null,
    min_rtt: state.min_rtt_us ?? null,
    rtt: state.rtt_us ?? null,
    delivery_rate: state.delivery_bytes_per_s === undefined ? null : BigInt(state.delivery_bytes_per_s),
    app_limited: state.app_limited ?? null,
  };
}

function ackedRow(
  session: ExportedSession,
  story: PlaybackSummary,
  decision: CompletedDecision,
): Row<typeof VIDEO_ACKED> {
  const arrived_s = getEnd_s(decision);
  return {
    ...streamAt(session, arrived_s),
    video_ts: ticks(decision.segment_start_s),
    buffer: levelAt(session.buffer, arrived_s),
    cum_rebuf: rebufferedUntil(story, arrived_s),
    sequence: decision.sequence,
  };
}

/** The buffer level at the last sample up to a time. */
const levelAt = (buffer: readonly Point[], t_s: number): number =>
  buffer.findLast((sample) => sample.t_s <= t_s)?.value ?? 0;
