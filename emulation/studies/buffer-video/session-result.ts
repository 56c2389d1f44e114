import { LOW_BELOW_KBPS } from './demand.ts';
import type { Server } from './sites.ts';
import type { Watched } from './viewers/visit.ts';

/** The outcome of a session that began in what is counted. */
export interface SessionResult {
  readonly server: Server;
  readonly queue: number;
  readonly rtt_ms: number;
  /** Null where the viewer left before. */
  readonly play_delay_ms: number | null;
  readonly rebuffer_count: number;
  readonly played_s: number;
  readonly mean_bitrate_kbps: number | null;
  /** Of the content fetched, s: all, and at a low bitrate. */
  readonly fetched_s: number;
  readonly low_s: number;
  /** Of all its connections; null where no handshake was over. */
  readonly min_rtt_ms: number | null;
  readonly sent_packets: number;
  readonly retransmitted_packets: number;
  /** Of the packets sent for the first time, those that filled the receive window; null where the kernel does not tell. */
  readonly receive_limited_packets: number | null;
}

/** The player's part of it. */
export type WatchedResult = Pick<
  SessionResult,
  'play_delay_ms' | 'rebuffer_count' | 'played_s' | 'mean_bitrate_kbps' | 'fetched_s' | 'low_s'
>;

export const sumOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function watchedResult({ summary, decisions }: Watched): WatchedResult {
  const completed = decisions.filter(({ outcome }) => outcome === 'completed');
  const durationOf = (of: typeof completed) => sumOf(of.map((each) => each.segment_duration_s));
  return {
    play_delay_ms: summary.play_delay_ms,
    rebuffer_count: summary.rebuffer_count,
    played_s: summary.played_s,
    mean_bitrate_kbps: summary.mean_bitrate_kbps,
    fetched_s: durationOf(completed),
    low_s: durationOf(completed.filter(({ bitrate_kbps }) => bitrate_kbps < LOW_BELOW_KBPS)),
  };
}
