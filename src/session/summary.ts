import type { MediaType } from '../film/media-type.ts';
import type { CompletedDecision, PacingHonored } from '../decision.ts';
import { addLatest, LATEST } from './latest.ts';
import { Mean, ratio } from '../mean.ts';
import { median } from '../median.ts';

/** The results of a session, with the project's metric names. A value is null if nothing was measured. */
export interface SessionSummary {
  readonly play_delay_ms: number | null;
  readonly rebuffer_count: number;
  /** Stall time over the sum of stall and play time. */
  readonly rebuffer_ratio: number;
  /** Mean bitrate, weighted by the time watched. */
  readonly mean_bitrate_kbps: number | null;
  /** Mean bitrate of the first 20 s of playback (Sammy §5.2). */
  readonly initial_bitrate_kbps: number | null;
  readonly mean_ssim_db: number | null;
  readonly initial_ssim_db: number | null;
  /** Mean absolute SSIM difference between consecutive watched segments. */
  readonly ssim_variation_db: number | null;
  /** Number of bitrate changes between consecutive watched segments. */
  readonly switches: number;
  /** Throughput of video segments, weighted by download time: all bytes over all download time (Sammy Appendix A, Eq. 9). */
  readonly chunk_throughput_kbps: number | null;
  /** Like `chunk_throughput_kbps`, for segments that were requested in the playing phase. */
  readonly playing_chunk_throughput_kbps: number | null;
  /** Median round-trip time, as reported by the edge for the latest 1000 segments. */
  readonly rtt_median_ms: number | null;
  /** Bytes retransmitted, as a percentage of the bytes sent, on all connections. */
  readonly retransmit_pct: number | null;
  readonly played_s: number;
  readonly segments: number;
  /** Whether the edge paced as requested, as far as known at the end. */
  readonly pacing_honored: PacingHonored;
}

export const INITIAL_S = 20;
/** The largest plausible step of the playhead between two reports; a larger step is a seek. */
const LARGEST_STEP_S = 2;

/**
 * The fields of a segment's record that are needed while the segment may be watched. A session stores hundreds of
 * these, and the full record would be ten times as large.
 */
interface WatchedSegment {
  readonly segment_start_s: number;
  readonly segment_duration_s: number;
  readonly bitrate_kbps: number;
  readonly ssim_db: number | undefined;
}

const toWatchedSegment = ({
  segment_start_s,
  segment_duration_s,
  bitrate_kbps,
  ssim_db,
}: CompletedDecision): WatchedSegment => ({ segment_start_s, segment_duration_s, bitrate_kbps, ssim_db });

/** The downloads of one media type. */
class Downloads {
  count = 0;
  /** Segments that may still be played. */
  readonly latest: WatchedSegment[] = [];
  /** Σ bytes / Σ download time (Sammy Eq. 9), kbit/s. */
  readonly throughput = new Mean();
  /** The same for segments that were requested in the playing phase. */
  readonly playingThroughput = new Mean();

  add(segment: CompletedDecision): void {
    const { outcome, phase, from_cache, size_bytes, download_ms } = segment;
    this.count += 1;
    if (outcome === 'completed') addLatest(this.latest, toWatchedSegment(segment));
    // Include abandoned downloads, because they used the network too. Exclude failed downloads, such as error pages.
    if (outcome === 'failed' || from_cache || !(size_bytes > 0 && download_ms > 0)) return;
    const throughput_kbps = (size_bytes * 8) / download_ms;
    this.throughput.add(throughput_kbps, download_ms);
    if (phase === 'playing') this.playingThroughput.add(throughput_kbps, download_ms);
  }
}

/**
 * Counts sent and retransmitted bytes on all connections. Each connection's counters are cumulative, so the difference
 * between its first and latest receipt is used.
 */
class RetransmissionCounter {
  #sent_bytes = 0;
  #retransmitted_bytes = 0;
  /** The counters of each connection's latest receipt, the least recently updated connection first. */
  readonly #connections = new Map<string | undefined, { sent: number; retransmitted: number }>();

  add({ connection, sent_bytes: sent, retransmitted_bytes: retransmitted = 0 }: CompletedDecision): void {
    if (sent === undefined) return;
    const last = this.#connections.get(connection);
    this.#sent_bytes += sent - (last?.sent ?? sent);
    this.#retransmitted_bytes += retransmitted - (last?.retransmitted ?? retransmitted);
    this.#connections.delete(connection);
    this.#connections.set(connection, { sent, retransmitted });
    const [oldest] = this.#connections.keys();
    if (this.#connections.size > LATEST) this.#connections.delete(oldest);
  }

  get retransmitted_pct(): number | null {
    return ratio(this.#retransmitted_bytes * 100, this.#sent_bytes);
  }
}

/** Collects the data of a summary during the session: sums, and the segments that may still be played. */
export class SessionRecorder {
  #playDelay_ms: number | null = null;
  #rebuffers = 0;
  #stalled_ms = 0;
  #played_s = 0;
  #playhead: number | undefined;
  /** The segment that was watched last. */
  #watched: WatchedSegment | undefined;
  /** Whether a download may have replaced the segment that was watched last. */
  #mayBeReplaced = false;
  #switches = 0;
  readonly #downloads: Record<MediaType, Downloads> = { video: new Downloads(), audio: new Downloads() };
  readonly #bitrate_kbps = new Mean();
  readonly #initialBitrate_kbps = new Mean();
  readonly #ssim_db = new Mean();
  readonly #initialSsim_db = new Mean();
  readonly #ssimSteps_db = new Mean();
  readonly #sent = new RetransmissionCounter();
  readonly #rtts_ms: number[] = [];

  playbackStarted(delay_ms: number): void {
    this.#playDelay_ms ??= delay_ms;
  }

  rebuffered(stalled_ms: number): void {
    this.#rebuffers += 1;
    this.#stalled_ms += stalled_ms;
  }

  completed(decision: CompletedDecision): void {
    this.#downloads[decision.media_type].add(decision);
    this.#mayBeReplaced = true;
    this.#sent.add(decision);
    if (decision.rtt_ms !== undefined) addLatest(this.#rtts_ms, decision.rtt_ms);
  }

  seeked(): void {
    this.#playhead = undefined;
  }

  /** Reports the playhead's presentation time. Call it several times a second during playback. */
  playhead(time_s: number): void {
    const step_s = time_s - (this.#playhead ?? time_s);
    this.#playhead = time_s;
    if (step_s <= 0 || step_s > LARGEST_STEP_S) return;
    const watched = this.#segmentAt(time_s - step_s / 2);
    if (watched) this.#recordWatched(watched, step_s);
    this.#played_s += step_s;
  }

  #recordWatched(segment: WatchedSegment, step_s: number): void {
    const { bitrate_kbps, ssim_db } = segment;
    const initial_s = Math.max(0, Math.min(step_s, INITIAL_S - this.#played_s));
    this.#bitrate_kbps.add(bitrate_kbps, step_s);
    this.#initialBitrate_kbps.add(bitrate_kbps, initial_s);
    this.#ssim_db.add(ssim_db, step_s);
    this.#initialSsim_db.add(ssim_db, initial_s);
    const before = this.#watched;
    if (before && before !== segment) {
      if (before.bitrate_kbps !== bitrate_kbps) this.#switches += 1;
      if (before.ssim_db !== undefined && ssim_db !== undefined) {
        this.#ssimSteps_db.add(Math.abs(ssim_db - before.ssim_db), 1);
      }
    }
    this.#watched = segment;
  }

  /** The downloads of video or, if there are none, of audio. */
  get #media(): Downloads {
    const { video, audio } = this.#downloads;
    return video.count > 0 ? video : audio;
  }

  /** Returns the segment that is buffered for a time: the latest downloaded segment that covers it. */
  #segmentAt(time_s: number): WatchedSegment | undefined {
    if (!this.#mayBeReplaced && this.#watched && covers(this.#watched, time_s)) return this.#watched;
    this.#mayBeReplaced = false;
    return this.#media.latest.findLast((segment) => covers(segment, time_s));
  }

  /** The summary so far, including the current rebuffer, if any. */
  summary(stalling_ms?: number): Omit<SessionSummary, 'pacing_honored'> {
    const stalled_s = (this.#stalled_ms + (stalling_ms ?? 0)) / 1000;
    const { video, audio } = this.#downloads;
    return {
      play_delay_ms: this.#playDelay_ms,
      rebuffer_count: this.#rebuffers + (stalling_ms === undefined ? 0 : 1),
      rebuffer_ratio: ratio(stalled_s, stalled_s + this.#played_s) ?? 0,
      mean_bitrate_kbps: this.#bitrate_kbps.value,
      initial_bitrate_kbps: this.#initialBitrate_kbps.value,
      mean_ssim_db: this.#ssim_db.value,
      initial_ssim_db: this.#initialSsim_db.value,
      ssim_variation_db: this.#ssimSteps_db.value,
      switches: this.#switches,
      chunk_throughput_kbps: this.#media.throughput.value,
      playing_chunk_throughput_kbps: this.#media.playingThroughput.value,
      rtt_median_ms: median(this.#rtts_ms) ?? null,
      retransmit_pct: this.#sent.retransmitted_pct,
      played_s: this.#played_s,
      segments: video.count + audio.count,
    };
  }
}

const covers = ({ segment_start_s, segment_duration_s }: WatchedSegment, time_s: number): boolean =>
  segment_start_s <= time_s && time_s < segment_start_s + segment_duration_s;

/** The value of the option `summary` that enables summaries. */
export const sessionSummary = (): SessionRecorder => new SessionRecorder();
