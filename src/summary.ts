import type { CompletedDecision } from './decision.ts';
import type { PacingHonored } from './edge-trust.ts';
import { median } from './median.ts';

/** The session in the metric names of the project; null where nothing was measured. */
export interface SessionSummary {
  readonly play_delay_ms: number | null;
  readonly rebuffer_count: number;
  /** Time stalled over time stalled and played. */
  readonly rebuffer_ratio: number;
  /** Bitrates weighted by the time they were watched. */
  readonly mean_bitrate_kbps: number | null;
  /** The same over the first 20 s of playback (Sammy §5.2). */
  readonly initial_bitrate_kbps: number | null;
  readonly mean_ssim_db: number | null;
  readonly initial_ssim_db: number | null;
  /** Mean absolute SSIM difference between segments watched one after the other. */
  readonly ssim_variation_db: number | null;
  /** Changes of bitrate between segments watched one after the other. */
  readonly switches: number;
  /** Of video segments, weighted by download time: all bytes over all download time (Sammy Appendix A, Eq. 9). */
  readonly chunk_throughput_kbps: number | null;
  /** The same for what was requested in the playing phase. */
  readonly playing_chunk_throughput_kbps: number | null;
  /** Median over the receipts of the segments. */
  readonly rtt_median_ms: number | null;
  /** Bytes retransmitted over bytes sent, all connections. */
  readonly retransmit_pct: number | null;
  readonly played_s: number;
  readonly segments: number;
  /** Whether the edge paced as it was asked to, as far as was known at the end. */
  readonly pacing_honored: PacingHonored;
}

export const INITIAL_S = 20;
/** The playhead cannot have played more than this between two reports; a larger step is a seek. */
const LARGEST_STEP_S = 2;

interface Watched {
  readonly segment: CompletedDecision;
  seconds: number;
  initialSeconds: number;
}

/** Keeps what a summary needs while the session runs. */
export class SessionRecorder {
  #playDelay_ms: number | null = null;
  #rebuffers = 0;
  #stalled_ms = 0;
  #played_s = 0;
  #playhead: number | undefined;
  readonly #video: CompletedDecision[] = [];
  readonly #all: CompletedDecision[] = [];
  readonly #watched: Watched[] = [];

  playbackStarted(delay_ms: number): void {
    this.#playDelay_ms ??= delay_ms;
  }

  rebuffered(stalled_ms: number): void {
    this.#rebuffers += 1;
    this.#stalled_ms += stalled_ms;
  }

  completed(decision: CompletedDecision): void {
    this.#all.push(decision);
    if (decision.media_type === 'video') this.#video.push(decision);
  }

  sought(): void {
    this.#playhead = undefined;
  }

  /** The playhead is at `time_s` of the presentation. Call it often while playing. */
  playhead(time_s: number): void {
    const step = time_s - (this.#playhead ?? time_s);
    this.#playhead = time_s;
    if (step <= 0 || step > LARGEST_STEP_S) return;
    const watching = this.#segmentAt(time_s - step / 2);
    if (watching) {
      const initial = Math.max(0, Math.min(step, INITIAL_S - this.#played_s));
      const last = this.#watched.at(-1);
      if (last?.segment === watching) {
        last.seconds += step;
        last.initialSeconds += initial;
      } else {
        this.#watched.push({ segment: watching, seconds: step, initialSeconds: initial });
      }
    }
    this.#played_s += step;
  }

  /** The last one that was downloaded for that time is the one in the buffer. */
  #segmentAt(time_s: number): CompletedDecision | undefined {
    const segments = this.#video.length > 0 ? this.#video : this.#all;
    return segments.findLast(
      ({ outcome, segment_start_s, segment_duration_s }) =>
        outcome === 'completed' && segment_start_s <= time_s && time_s < segment_start_s + segment_duration_s,
    );
  }

  /** So far; with the rebuffer that goes on, if there is one. */
  summary(stalling_ms?: number): Omit<SessionSummary, 'pacing_honored'> {
    const watched = this.#watched;
    const weighted = (
      value: (segment: CompletedDecision) => number | undefined,
      weight: (entry: Watched) => number,
    ) =>
      ratio(
        sum(watched.map((entry) => (value(entry.segment) ?? 0) * weight(entry))),
        sum(watched.map((entry) => (value(entry.segment) === undefined ? 0 : weight(entry)))),
      );
    const bitrate = (segment: CompletedDecision) => segment.bitrate_kbps;
    const ssim = (segment: CompletedDecision) => segment.ssim_db;
    const all = (entry: Watched) => entry.seconds;
    const initial = (entry: Watched) => entry.initialSeconds;
    const pairs = watched.slice(1).map((entry, index) => [watched[index]?.segment, entry.segment] as const);
    const ssimSteps = pairs.flatMap(([a, b]) =>
      a?.ssim_db === undefined || b.ssim_db === undefined ? [] : Math.abs(b.ssim_db - a.ssim_db),
    );
    const stalled_s = (this.#stalled_ms + (stalling_ms ?? 0)) / 1000;
    const media = this.#video.length > 0 ? this.#video : this.#all;

    return {
      play_delay_ms: this.#playDelay_ms,
      rebuffer_count: this.#rebuffers + (stalling_ms === undefined ? 0 : 1),
      rebuffer_ratio: ratio(stalled_s, stalled_s + this.#played_s) ?? 0,
      mean_bitrate_kbps: weighted(bitrate, all),
      initial_bitrate_kbps: weighted(bitrate, initial),
      mean_ssim_db: weighted(ssim, all),
      initial_ssim_db: weighted(ssim, initial),
      ssim_variation_db: ratio(sum(ssimSteps), ssimSteps.length),
      switches: pairs.filter(([a, b]) => a && a.bitrate_kbps !== b.bitrate_kbps).length,
      chunk_throughput_kbps: chunkThroughput(media),
      playing_chunk_throughput_kbps: chunkThroughput(media.filter(({ phase }) => phase === 'playing')),
      rtt_median_ms: median(this.#all.flatMap(({ rtt_ms }) => rtt_ms ?? [])) ?? null,
      retransmit_pct: retransmitPct(this.#all),
      played_s: this.#played_s,
      segments: this.#all.length,
    };
  }
}

const sum = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((total, value = 0) => total + value, 0);
const ratio = (numerator: number, denominator: number): number | null =>
  denominator > 0 ? numerator / denominator : null;

/** Σ bytes / Σ download time (Sammy Eq. 9). Abandoned downloads used the network too; an error page is no segment. */
function chunkThroughput(decisions: readonly CompletedDecision[]): number | null {
  const counted = decisions.filter(
    ({ outcome, from_cache, size_bytes, download_ms }) =>
      outcome !== 'failed' && !from_cache && size_bytes > 0 && download_ms > 0,
  );
  return ratio(
    sum(counted.map(({ size_bytes }) => size_bytes * 8)),
    sum(counted.map(({ download_ms }) => download_ms)),
  );
}

/** The counters run as long as their connection: what lies between its first and its last receipt is the session's. */
function retransmitPct(decisions: readonly CompletedDecision[]): number | null {
  const receipts = decisions.filter(({ sent_bytes }) => sent_bytes !== undefined);
  const last = new Map(receipts.map((decision) => [decision.connection, decision]));
  const first = new Map([...receipts].reverse().map((decision) => [decision.connection, decision]));
  const grown = (counter: (decision: CompletedDecision) => number | undefined) =>
    sum([...last.values()].map(counter)) - sum([...first.values()].map(counter));
  const share = ratio(
    grown(({ retransmitted_bytes }) => retransmitted_bytes),
    grown(({ sent_bytes }) => sent_bytes),
  );
  return share === null ? null : share * 100;
}
