import type { Decision, Outcome } from '../../../src/decision.ts';
import type { Ladder } from '../../../src/film/ladder.ts';
import type { SammyOptions } from '../../../src/options.ts';
import { Sammy } from '../../../src/session/sammy.ts';
import { sessionSummary } from '../../../src/session/summary.ts';
import { bytes, transferSize, kbps, milliseconds, seconds } from '../../../src/units.ts';
import type { Receipt } from '../../../src/wire/receipt.ts';
import { leavingTime_s, PATIENCES, type ViewerPlan } from '../../player/light/patience.ts';
import type { Arrival } from './arrivals.ts';
import type { World } from './demand.ts';
import { pickMetrics, type Metrics } from './session-row.ts';
import { LinkDownload } from '../../network/virtual/fluid/shared-link.ts';

/** The share of payload in the bytes that SO_MAX_PACING_RATE counts: 1448 of 1514. */
const PAYLOAD_OF_PACE = 0.956;
/**
 * The interval at which the core gets the playhead. A browser reports it a few times per second, but the core accepts
 * steps of up to 2 s.
 */
const PLAYHEAD_STEP_S = 2;

interface Request {
  readonly decision: Decision;
  readonly download: LinkDownload;
  readonly receipt: Receipt;
  readonly requested_ms: number;
}

/**
 * One session: the plug-in's core and a player with a buffer, segment by segment. It has a clock but no network: the
 * caller reports when a segment has arrived. Playback between two events is computed at the second event. This is
 * exact, because the core makes no choices in between. Simplifications: segments have the size that follows from the
 * bitrate, downloads are never abandoned for a lower rung, there is no throughput history of earlier sessions, and the
 * edge always applies the requested pace.
 */
export class Viewer {
  readonly #world: World;
  readonly #line: Arrival;
  readonly #ladder: Ladder;
  readonly #intent: ViewerPlan;
  readonly #sammy: Sammy;
  #now_ms: number;
  #request: Request | undefined;
  #buffer_s = 0;
  #playhead_s = 0;
  #playing = false;
  #started = false;
  /** When the present stall began or, while the video plays, when the latest one began. */
  #dry_ms = Infinity;
  /** The total duration of all finished stalls. */
  #stalled_ms = 0;
  #segments = 0;
  #sent_bytes = 0;
  #lost_bytes = 0;
  #least_rtt_ms = Infinity;

  constructor(arrival: Arrival, world: World, ladder: Ladder, options: SammyOptions) {
    this.#world = world;
    this.#line = arrival;
    this.#now_ms = arrival.at_ms;
    this.#ladder = ladder;
    this.#intent = { ...arrival, patience: PATIENCES[world.patience ?? 'endless'] };
    const now = () => milliseconds(this.#now_ms);
    this.#sammy = new Sammy(options, { now, today: now, summary: sessionSummary });
    this.#sammy.playbackRequested();
  }

  /** Requests the next segment. Its first byte arrives after a round trip. */
  request(now_ms: number, queue_ms: number): LinkDownload {
    this.#moveTo(now_ms);
    const { segment_s, buffer_s } = this.#world;
    const start_s = this.#segments * segment_s;
    const state = {
      mediaType: 'video' as const,
      ladder: this.#ladder,
      buffer: seconds(this.#buffer_s),
      playable: () => seconds(this.#buffer_s),
      maxBuffer: seconds(buffer_s),
      bufferTarget: seconds(buffer_s),
      playbackRate: 1,
      nextSegmentAt: seconds(start_s),
      playhead: seconds(this.#playhead_s),
      lowLatency: false,
    };
    const { rung } = this.#sammy.chooseRung(state);
    const decision = this.#sammy.decide(state, rung, seconds(segment_s));
    const { access_kbps, idle_rtt_ms } = this.#line;
    const pace_kbps = decision.requested_kbps;
    const paced_kbps = pace_kbps === null ? Infinity : PAYLOAD_OF_PACE * pace_kbps;
    const download = new LinkDownload({
      size_bytes: transferSize(rung.bitrate_kbps, seconds(segment_s)),
      cap_kbps: Math.min(access_kbps, paced_kbps),
      idle_rtt_ms,
    });
    const rtt_ms = idle_rtt_ms + queue_ms;
    const receipt: Receipt = {
      pace_kbps: pace_kbps === null ? null : kbps(pace_kbps),
      rtt_ms: milliseconds(rtt_ms),
      min_rtt_ms: milliseconds(Math.min(this.#least_rtt_ms, rtt_ms)),
      sent_bytes: bytes(Math.round(this.#sent_bytes)),
      retransmitted_bytes: bytes(Math.round(this.#lost_bytes)),
    };
    this.#request = { decision, download, receipt, requested_ms: now_ms };
    return download;
  }

  /** Called when the segment has arrived. Returns when to request the next segment. */
  arrived(now_ms: number): number {
    this.#moveTo(now_ms);
    this.#complete('completed');
    const { segment_s, buffer_s } = this.#world;
    this.#segments += 1;
    this.#buffer_s += segment_s;
    if (!this.#playing) this.#play(now_ms);
    return now_ms + 1000 * Math.max(0, this.#buffer_s + segment_s - buffer_s);
  }

  /** When the viewer leaves if nothing more arrives. */
  get leaves_ms(): number {
    const [came_ms, started] = [this.#line.at_ms, this.#started];
    const dry_ms = this.#playing ? this.#now_ms + 1000 * this.#buffer_s : this.#dry_ms;
    const seen = { started, stalled_s: this.#stalled_ms / 1000, dry_s: (dry_ms - came_ms) / 1000 };
    return came_ms + 1000 * leavingTime_s(this.#intent, seen);
  }

  /** Called when the viewer leaves. A download in progress is canceled. */
  leave(now_ms: number): Metrics {
    this.#moveTo(now_ms);
    this.#complete('abandoned');
    const { summary } = this.#sammy;
    if (!summary) throw new Error('the session has no summary');
    const min_rtt_ms = this.#least_rtt_ms < Infinity ? this.#least_rtt_ms : null;
    return pickMetrics(summary, { min_rtt_ms, bytes_sent: Math.round(this.#sent_bytes) });
  }

  /** Starts or resumes playback. */
  #play(now_ms: number): void {
    if (this.#started) this.#stalled_ms += now_ms - this.#dry_ms;
    this.#started = this.#playing = true;
    this.#sammy.playing();
  }

  #complete(outcome: Outcome): void {
    if (!this.#request) return;
    const { decision, download, receipt, requested_ms } = this.#request;
    this.#request = undefined;
    const size_bytes = Math.round(download.size_bytes - download.left_bytes);
    this.#sent_bytes += size_bytes + download.lost_bytes;
    this.#lost_bytes += download.lost_bytes;
    this.#least_rtt_ms = Math.min(this.#least_rtt_ms, download.idle_rtt_ms + download.least_delay_ms);
    const download_ms = this.#now_ms - requested_ms;
    this.#sammy.complete(decision, { outcome, size_bytes, download_ms, receipt, from_cache: false });
  }

  /** Plays until `now_ms`, or until the buffer is empty, which is reported to the core at that time. */
  #moveTo(now_ms: number): void {
    const from_ms = this.#now_ms;
    if (this.#playing) {
      const played_s = Math.min(this.#buffer_s, (now_ms - from_ms) / 1000);
      const steps = Math.ceil(played_s / PLAYHEAD_STEP_S);
      for (let step = 1; step <= steps; step++) {
        this.#now_ms = from_ms + (1000 * played_s * step) / steps;
        this.#buffer_s = Math.max(0, this.#buffer_s - played_s / steps);
        this.#playhead_s += played_s / steps;
        this.#sammy.playhead(seconds(this.#playhead_s), () => seconds(this.#buffer_s));
      }
      if (this.#buffer_s <= NOTHING_S && this.#now_ms < now_ms) {
        this.#buffer_s = 0;
        this.#playing = false;
        this.#dry_ms = this.#now_ms;
        this.#sammy.waiting();
      }
    }
    this.#now_ms = now_ms;
  }
}

/** A buffer below this counts as empty, because times are rounded doubles. */
const NOTHING_S = 1e-9;
