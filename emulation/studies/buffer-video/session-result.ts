import { LOW_BELOW_KBPS } from './demand.ts';
import type { Server } from './sites.ts';
import type { Watched } from './viewers/visit.ts';

/** The outcome of a session that began after the warm-up. */
export interface SessionResult {
  readonly server: Server;
  readonly queue: number;
  readonly rtt_ms: number;
  /** The play delay; null if the viewer left before playback began. */
  readonly play_delay_ms: number | null;
  readonly rebuffer_count: number;
  readonly played_s: number;
  readonly mean_bitrate_kbps: number | null;
  /** Seconds of content that were fetched. */
  readonly fetched_s: number;
  /** Seconds of content that were fetched at a low bitrate. */
  readonly low_s: number;
  /** The minimum over all of the session's connections; null without a completed handshake. */
  readonly min_rtt_ms: number | null;
  readonly sent_packets: number;
  readonly retransmitted_packets: number;
  /**
   * The number of packets, without retransmissions, that filled the receive window; null if the kernel does not count
   * such packets.
   */
  readonly receive_limited_packets: number | null;
}

/** The part of the result that the player provides. */
export type WatchedResult = Pick<
  SessionResult,
  'play_delay_ms' | 'rebuffer_count' | 'played_s' | 'mean_bitrate_kbps' | 'fetched_s' | 'low_s'
>;

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function watchedResult({ summary, decisions }: Watched): WatchedResult {
  const completed = decisions.filter(({ outcome }) => outcome === 'completed');
  const totalDuration_s = (of: typeof completed) => sum(of.map((each) => each.segment_duration_s));
  return {
    play_delay_ms: summary.play_delay_ms,
    rebuffer_count: summary.rebuffer_count,
    played_s: summary.played_s,
    mean_bitrate_kbps: summary.mean_bitrate_kbps,
    fetched_s: totalDuration_s(completed),
    low_s: totalDuration_s(completed.filter(({ bitrate_kbps }) => bitrate_kbps < LOW_BELOW_KBPS)),
  };
}
