import type { CompletedDecision, Decision } from '../../src/decision.ts';
import { makeLadder, type Rung } from '../../src/film/ladder.ts';
import type { SammyOptions } from '../../src/options.ts';
import { Sammy } from '../../src/session/sammy.ts';
import type { MediaState } from '../../src/session/state.ts';
import type { Sidecar } from '../../src/film/sidecar.ts';
import type { SessionSummary } from '../../src/session/summary.ts';
import { bytes, bytesAt, kbps, milliseconds, seconds } from '../../src/units.ts';
import type { LinkBytes } from './rates.ts';

/**
 * The plug-in's own core in a model of player and network that takes milliseconds: for looking for a policy, and for
 * asking what one would do on a hundred networks. The lab then tells whether it is true.
 *
 * The clock ticks in milliseconds. The server sends at its pace, or all at once; what it has sent waits at the link,
 * without limit. Video only; one request at a time; no congestion control and no loss.
 */
export interface SimulatedSession {
  readonly options: SammyOptions;
  readonly film: Sidecar;
  /** Of the film's video representations: their nominal bitrates by name. */
  readonly bitrates_kbps: Readonly<Record<string, number>>;
  readonly link: LinkBytes;
  readonly rtt_ms: number;
  readonly seconds: number;
}

export interface SimulatedResult {
  readonly summary: SessionSummary;
  readonly decisions: readonly CompletedDecision[];
  /** What could be played, from 20 s on. */
  readonly leastBuffer_s: number;
}

/** Of a packet, the share that is content. The link counts its headers too; TCP's own pacing, which the lab has, does not. */
const CONTENT_OF_PACKET = 1448 / 1500;
/** Manifest and initialization segments, and from the first segment's arrival to its first frame. */
const START_MS = 50;
const FIRST_FRAME_MS = 50;
/** From an arrival to the next request. */
const BETWEEN_MS = 10;
/** dash.js 5.2: `bufferTimeAtTopQuality`, `bufferTimeDefault`, `scheduling.defaultTimeout`. */
const BUFFER_AT_TOP_S = 30;
const BUFFER_S = 18;
const BUFFER_FULL_POLL_MS = 500;
/** How often dash.js looks whether to abandon a download, and tells its playhead. */
const PROGRESS_MS = 100;
const PLAYHEAD_MS = 250;
const LEAST_BUFFER_FROM_MS = 20_000;

interface Download {
  readonly decision: Decision;
  readonly rung: Rung;
  readonly size: number;
  readonly since_ms: number;
  sent: number;
  arrived: number;
}

export function simulateSession(session: SimulatedSession): SimulatedResult {
  const { film, link, rtt_ms } = session;
  const ladder = makeLadder(
    Object.entries(session.bitrates_kbps).map(([id, rate]) => ({ id, bandwidth: rate * 1000 })),
  );
  if (!ladder) throw new Error('the film has no video representations');
  const top = ladder.at(-1);

  const starts_s = [0];
  for (const duration_s of film.segment_duration_s) starts_s.push((starts_s.at(-1) ?? 0) + duration_s);

  let now_ms = 0;
  const sammy = new Sammy(
    { ...session.options, sidecar: film },
    {
      now: () => milliseconds(now_ms),
      today: () => milliseconds(now_ms),
    },
  );
  sammy.playbackRequested();

  const decisions: CompletedDecision[] = [];
  /** Of the segments that have arrived, the last time. */
  const bitrates: number[] = [];
  let next = 0;
  let bufferEnd_s = 0;
  let playhead_s = 0;
  let playing = false;
  let playsFrom_ms = Infinity;
  let download: Download | undefined;
  let requestAt_ms = START_MS;
  let lastRung: Rung = ladder[0];
  let leastBuffer_s = Infinity;
  let noHigherUntil_ms = 0;

  const stateOf = (): MediaState => {
    const buffer = seconds(bufferEnd_s - playhead_s);
    return {
      playhead: seconds(playhead_s),
      mediaType: 'video',
      ladder,
      buffer,
      playable: buffer,
      maxBuffer: seconds(BUFFER_AT_TOP_S),
      bufferTarget: seconds(BUFFER_S),
      playbackRate: 1,
      nextSegmentAt: seconds(bufferEnd_s),
      lowLatency: false,
    };
  };
  const request = (rung: Rung): void => {
    const duration_s = film.segment_duration_s[next] ?? 0;
    const size = film.representations[rung.id]?.segment_bytes[next] ?? 0;
    const start_s = starts_s[next] ?? 0;
    const state = { ...stateOf(), nextSegmentAt: seconds(start_s) };
    const decision = sammy.decide(state, { rung, start_s, duration_s });
    download = { decision, rung, size, since_ms: now_ms, sent: 0, arrived: 0 };
    lastRung = rung;
  };
  /**
   * dash.js 5.2's fast switch (`_prepareForFastQualitySwitch`): from one and a half segments ahead of the playhead on,
   * if so much is buffered there, at a lower bitrate.
   */
  const replacedFrom = (rung: Rung): number => {
    const ahead_s = 1.5 * (film.segment_duration_s[next] ?? 0);
    const index = starts_s.findLastIndex((start_s) => start_s <= playhead_s + ahead_s);
    const buffered = bitrates[index];
    const replaceable = bufferEnd_s - playhead_s >= ahead_s && buffered !== undefined;
    return replaceable && buffered < rung.bitrate_kbps ? index : next;
  };
  const end = (ended: Download, outcome: 'completed' | 'abandoned'): void => {
    download = undefined;
    decisions.push(
      sammy.complete(ended.decision, {
        outcome,
        size_bytes: Math.round(ended.arrived),
        download_ms: now_ms - ended.since_ms,
        receipt: {
          pace_kbps: ended.decision.requested_kbps === null ? null : kbps(ended.decision.requested_kbps),
          min_rtt_ms: milliseconds(rtt_ms),
        },
      }),
    );
  };

  for (; now_ms <= session.seconds * 1000; now_ms++) {
    // The network, in the millisecond that ends now.
    if (download && now_ms > download.since_ms + rtt_ms) {
      const pace = download.decision.requested_kbps;
      const sends = pace === null ? Infinity : bytesAt(kbps(pace), seconds(1e-3));
      download.sent = Math.min(download.size, download.sent + sends);
      download.arrived = Math.min(download.sent, download.arrived + link(now_ms - 1) * CONTENT_OF_PACKET);
    }
    // The player.
    if (playing) playhead_s = Math.min(bufferEnd_s, playhead_s + 1e-3);
    if (playing && bufferEnd_s - playhead_s < 1e-9) {
      playing = false;
      playsFrom_ms = Infinity;
      sammy.waiting();
    }
    if (now_ms >= playsFrom_ms && !playing) {
      playing = true;
      sammy.playing();
    }
    if (now_ms % PLAYHEAD_MS === 0) sammy.playhead(seconds(playhead_s), seconds(bufferEnd_s - playhead_s));
    if (now_ms >= LEAST_BUFFER_FROM_MS) leastBuffer_s = Math.min(leastBuffer_s, bufferEnd_s - playhead_s);

    if (download && download.arrived >= download.size) {
      bitrates[next] = download.rung.bitrate_kbps;
      next += 1;
      bufferEnd_s = Math.max(bufferEnd_s, starts_s[next] ?? 0);
      if (!playing) playsFrom_ms = Math.min(playsFrom_ms, now_ms + FIRST_FRAME_MS);
      end(download, 'completed');
      requestAt_ms = now_ms + BETWEEN_MS;
    } else if (download && (now_ms - download.since_ms) % PROGRESS_MS === 0) {
      const pace = download.decision.requested_kbps;
      const state = { ...stateOf(), nextSegmentAt: seconds(starts_s[next] ?? 0) };
      const lower = sammy.chooseAbandonment(state, download.rung, {
        loaded: bytes(download.arrived),
        total: bytes(download.size),
        elapsed: seconds((now_ms - download.since_ms) / 1000),
        pace: pace === null ? undefined : kbps(pace),
      });
      if (lower) {
        end(download, 'abandoned');
        noHigherUntil_ms = now_ms + (film.segment_duration_s[next] ?? 0) * 1000;
        request(lower);
      }
    } else if (!download && now_ms >= requestAt_ms && next < film.segment_duration_s.length) {
      const target_s = lastRung === top ? BUFFER_AT_TOP_S : BUFFER_S;
      const full = bufferEnd_s - playhead_s + (film.segment_duration_s[next] ?? 0) >= target_s;
      if (full) requestAt_ms = now_ms + BUFFER_FULL_POLL_MS;
      else {
        const { rung } = sammy.chooseRung(stateOf());
        const higher = rung.bitrate_kbps > lastRung.bitrate_kbps;
        if (higher && now_ms < noHigherUntil_ms) request(lastRung);
        else {
          const replaces = sammy.replacementPays(stateOf(), rung);
          if (higher && replaces) next = Math.min(next, replacedFrom(rung));
          request(rung);
        }
      }
    }
  }
  return { summary: sammy.summary, decisions, leastBuffer_s };
}
