import type { AbrState } from '../abr/abr.ts';
import { lookahead } from '../abr/lookahead.ts';
import { algorithm1 } from './algorithm-1.ts';
import { nearestStep } from './coarse-steps.ts';
import { demandKnown } from '../demand-known.ts';
import { ABOVE_0, checkOption } from '../check-option.ts';
import { topRung } from '../film/ladder.ts';
import { EXPECTED_GOODPUT, GOODPUT_OF_PACE, type PacePolicy } from './pace.ts';
import { meanBitrate, type Segment } from '../film/segments.ts';
import { bytes, kbps, averageRate, seconds, type Kbps, type Seconds } from '../units.ts';

/** Sammy's own c0 and c1 (§5): the upper limit for an almost empty buffer, and the multiples for a weak network. */
const GENEROUS = { c0: 3.2, c1: 2.8 };

export interface SmoothOptions {
  /**
   * The buffer level to maintain, s; at most half of the player's limit. A higher level is safer. It adds reserve / T to the
   * chunk throughput of a session of T seconds, because the reserve has to be downloaded too.
   * @defaultValue 15
   */
  readonly reserve_s?: number;
  /**
   * Growth of a buffer below the reserve, in seconds per second. Half of the buffer is kept while the next segment arrives;
   * growth applies to the rest.
   * @defaultValue 2
   */
  readonly growth?: number;
  /**
   * If the network's throughput was below this multiple of the top bitrate, it may soon be insufficient: with an empty buffer
   * HYB, at its β of 0.8, needs 1.25. Neighbors that alternate on a fast link leave more.
   * @defaultValue 1.25
   */
  readonly ample?: number;
  /**
   * The content that the plan covers, s. A longer horizon does not improve the plan even for two minutes of buffer.
   * @defaultValue 60
   */
  readonly horizon_s?: number;
}

/**
 * A pace planned from the sizes of the upcoming segments: the optimal smoothing of stored video (Salehi, Zhang, Kurose and
 * Towsley, SIGMETRICS 1996), recomputed for each segment.
 *
 * The received bytes must stay above those needed so far, the played
 * content plus a reserve, and below the player's capacity, because a player that waits downloads faster in between. The smoothest
 * curve, with the lowest peak and the smallest variance, is a string pulled taut between these two limits. The pace is the
 * initial slope of the string: large future segments are fetched slightly faster from now on, and their own bitrate may
 * exceed the pace while they arrive (`smoothed`). The result is rounded to one of a few steps.
 *
 * The network's throughput does not matter while it sustains this pace. It becomes known when it does not: a download that
 * stays below its pace, or had none, is a sample. For a minute after a sample below `ample` times the top bitrate, Algorithm
 * 1 takes over with its multiples of about three (`network-is-weak`) and fills the whole buffer. The reserve is filled at
 * three times the playback speed, so a weak network is detected early. Algorithm 1 also takes over if the ABR algorithm is
 * buffer-based and no throughput makes it pick the top rung yet (`buffer-is-to-grow`).
 *
 * Throws an Error that names an option that is unknown or out of range.
 */
export function smooth(options: SmoothOptions = {}): PacePolicy {
  const { reserve_s = 15, growth = 2, ample = 1.25, horizon_s = 60 } = options;
  const resolved = { reserve_s, growth, ample, horizon_s };
  demandKnown('smooth', options, resolved);
  for (const [name, value] of Object.entries(resolved)) checkOption(name, value, ABOVE_0);
  const generous = algorithm1(GENEROUS);
  return {
    name: 'smooth',
    choosePace(input) {
      const { phase, state, maxBuffer, abr, carried } = input;
      if (phase !== 'playing') return { pace: null, reason: phase };
      const top = topRung(state.ladder);
      if (Math.min(...carried) < ample * top.bitrate_kbps) {
        return { ...generous.choosePace(input), reason: 'network-is-weak' };
      }
      const bound = abr.requiredThroughput(state, top);
      // The reserve would never suffice for a buffer-based algorithm.
      if (bound === Infinity) return { ...generous.choosePace(input), reason: 'buffer-is-to-grow' };

      const segments = lookahead(state, top, seconds(horizon_s));
      const reserve = seconds(Math.min(reserve_s, maxBuffer / 2));
      const urgent = GENEROUS.c0 * top.bitrate_kbps * Math.max(1, state.playbackRate);
      const planned = tautString(segments, state, { reserve, growth, maxBuffer }) / EXPECTED_GOODPUT;
      const least = Number.isFinite(bound) ? bound / GOODPUT_OF_PACE : 0;
      if (least > urgent) return { pace: null, reason: 'urgent', bound };
      if (least > planned) return { pace: kbps(least), reason: 'raised-to-eq-1', bound };
      // The step that keeps the buffer level constant while the planned segments arrive.
      const steady = kbps((meanBitrate(segments) * state.playbackRate) / EXPECTED_GOODPUT);
      const pace = nearestStep(kbps(planned), steady, kbps(least));
      return { pace: kbps(Math.min(urgent, pace)), reason: 'smoothed', bound };
    },
  };
}

/**
 * The initial slope of the taut string. Each segment is a gate: it is `due` at one time, and there is `room` for it at an
 * earlier time. The lowest rate that reaches every gate in time, and the highest that reaches none too early, converge with
 * each gate. The string bends at the gate where they would cross.
 */
function tautString(
  segments: readonly Segment[],
  { buffer, playbackRate }: AbrState,
  { reserve, growth, maxBuffer }: Readonly<{ reserve: Seconds; growth: number; maxBuffer: Seconds }>,
): Kbps {
  const kept = Math.min(reserve, buffer / playbackRate / 2);
  let [size, content, least, most] = [0, buffer as number, 0, Infinity];
  for (const segment of segments) {
    const plays = content / playbackRate;
    size += segment.size;
    content += segment.duration;
    // The time at which the remaining buffer reaches the level to keep: the reserve, or the level grown so far.
    const due = Math.max(plays - reserve, (plays - kept) / (1 + growth));
    // A player requests the next segment when it fits into the buffer. If the buffer is too short for both conditions, arriving
    // in time has priority.
    const room = Math.min(due, (content + segment.duration - maxBuffer) / playbackRate);

    const [inTime, notTooEarly] = [rateAt(size, due), rateAt(size, room)];
    if (inTime > most) return kbps(most);
    if (notTooEarly < least) return kbps(least);
    least = Math.max(least, inTime);
    most = Math.min(most, notTooEarly);
  }
  return kbps(least);
}

/** Infinite if no time is left. */
const rateAt = (size: number, time: number): number =>
  time > 0 ? averageRate(bytes(size), seconds(time)) : Infinity;
