import type { CompletedDecision } from '../decision.ts';
import type { SammyOptions } from '../options.ts';
import type { Sidecar } from '../film/sidecar.ts';
import { kbps, milliseconds, seconds } from '../units.ts';
import { BITRATES_KBPS, SEGMENT_S, sessionOf } from './session.ts';

/** Sizes of successive segments relative to their rung's bitrate; their mean is 1. */
const VBR = [1, 0.7, 1.3, 1.5, 0.8, 0.7];

interface Simulation {
  options?: SammyOptions;
  content_s: number;
  /** What the network carries at a time, kbit/s. */
  capacity: (time_s: number) => number;
  /** Sammy knows the real sizes of the segments. */
  sizesKnown?: boolean;
  segment_s?: number;
  playbackRate?: number;
  /** After how long the player gives a request up. */
  requestTimeout_s?: number;
}
export interface SimulatedSegment extends CompletedDecision {
  readonly requested_s: number;
}

/**
 * A player with 30 s of buffer over a network of a given capacity. A paced download's goodput is 0.93 of the
 * pace, since a paced socket counts packet headers and an internal pacer errs on the slow side; before the
 * first byte one round trip of 50 ms passes.
 */
export function simulate({
  options = {},
  content_s,
  capacity,
  sizesKnown = true,
  segment_s = SEGMENT_S,
  playbackRate = 1,
  requestTimeout_s,
}: Simulation) {
  const [STEP_S, RTT_S, GOODPUT, MAX_BUFFER_S] = [0.02, 0.05, 0.93, 30];
  const count = content_s / segment_s;
  const sizeOf = (bitrate_kbps: number, index: number) =>
    Math.round(((bitrate_kbps * 1000) / 8) * segment_s * (VBR[index % VBR.length] ?? 1));
  const sidecar: Sidecar = {
    version: 1,
    segment_duration_s: Array.from({ length: count }, () => segment_s),
    representations: Object.fromEntries(
      BITRATES_KBPS.map((bitrate) => [
        `${bitrate}`,
        { segment_bytes: Array.from({ length: count }, (_, index) => sizeOf(bitrate, index)) },
      ]),
    ),
  };
  const { sammy, stateOf, pass } = sessionOf({ ...options, ...(sizesKnown && { sidecar }) });
  const segments: SimulatedSegment[] = [];
  let [time_s, buffer, stalled_s, started, stalling] = [0, 0, 0, false, false];
  const step = () => {
    time_s += STEP_S;
    pass(STEP_S);
    if (!started) return;
    if (buffer > 0) buffer = Math.max(0, buffer - STEP_S * playbackRate);
    else {
      if (!stalling) sammy.waiting();
      stalling = true;
      stalled_s += STEP_S;
    }
  };

  for (let index = 0; index < count; index++) {
    while (buffer > MAX_BUFFER_S - segment_s) step();
    const requested_s = time_s;
    const state = stateOf(buffer, {
      nextSegmentAt: seconds(index * segment_s),
      playbackRate,
      ...(requestTimeout_s !== undefined && { requestTimeout: seconds(requestTimeout_s) }),
    });
    const { rung } = sammy.chooseRung(state);
    const decision = sammy.decide(state, { rung, start_s: state.nextSegmentAt, duration_s: segment_s });
    const size_bytes = sizeOf(rung.bitrate_kbps, index);
    const atMost_kbps = decision.requested_kbps === null ? Infinity : GOODPUT * decision.requested_kbps;
    for (let loaded = 0; loaded < size_bytes;) {
      step();
      const arriving = time_s - requested_s > RTT_S;
      if (arriving) loaded += (Math.min(capacity(time_s), atMost_kbps) * 1000 * STEP_S) / 8;
    }
    buffer += segment_s;
    const completed = sammy.complete(decision, {
      outcome: 'completed',
      size_bytes,
      download_ms: (time_s - requested_s) * 1000,
      receipt: {
        pace_kbps: decision.requested_kbps === null ? null : kbps(decision.requested_kbps),
        rtt_ms: milliseconds(RTT_S * 1000),
      },
    });
    if (!started || stalling) sammy.playing();
    [started, stalling] = [true, false];
    segments.push({ ...completed, requested_s });
  }
  return { segments, stalled_s, sammy };
}
