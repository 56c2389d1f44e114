import type { AbrState } from '../abr/abr.ts';
import { lookahead } from '../abr/lookahead.ts';
import { algorithm1 } from './algorithm-1.ts';
import { nearestStep } from './coarse-steps.ts';
import { demandKnown } from '../demand-known.ts';
import { demand } from '../demand.ts';
import { topOf } from '../film/ladder.ts';
import { EXPECTED_GOODPUT, GOODPUT_OF_PACE, type PacePolicy } from './pace.ts';
import { bitrateOf, type Segment } from '../film/segments.ts';
import { bytes, kbps, rateOf, seconds, type Kbps, type Seconds } from '../units.ts';

/** Sammy's own c0 and c1 (§5): the most that an almost empty buffer asks for, and what a weak network is left with. */
const GENEROUS = { c0: 3.2, c1: 2.8 };

export interface SmoothOptions {
  /**
   * The buffer to keep, s; half of what the player fills up to, where that is less. More is safer. It costs a session
   * of T seconds reserve / T of its chunk throughput, since all of it has to be downloaded besides.
   * @defaultValue 15
   */
  readonly reserve_s?: number;
  /**
   * Of a buffer below the reserve, half is kept while the next segment arrives. Then the rest grows by so many s a second.
   * @defaultValue 2
   */
  readonly growth?: number;
  /**
   * Where the network has shown less than this multiple of the top bitrate, it may soon show too little: with an empty
   * buffer HYB, at its β of 0.8, needs 1.25. Neighbors who take turns on a fast link leave it more.
   * @defaultValue 1.25
   */
  readonly ample?: number;
  /**
   * The content that the plan covers, s: two minutes of buffer would not be planned better with more than a minute.
   * @defaultValue 60
   */
  readonly horizon_s?: number;
}

/**
 * A pace planned from the sizes of the coming segments: the optimal smoothing of stored video (Salehi, Zhang, Kurose
 * and Towsley, SIGMETRICS 1996), planned anew for each segment.
 *
 * Draw what has arrived over time. It must stay above what has to be there by then: what has been played, and a
 * reserve on top. It must stay below what the player can hold, for a player that waits downloads faster in between. The
 * smoothest way through, with the lowest peak and the least variance, is a string pulled taut between the two curves.
 * The pace is the slope with which the string begins: large segments far ahead are fetched a little faster from now
 * on, and while they arrive their own bitrate may be above the pace (`smoothed`). What goes out is the nearest of a few
 * steps, and the next plan begins with what that left in the buffer.
 *
 * Nobody asks how fast the network is while it carries this. What can be known is when it does not: a download that
 * stays below its pace, or had none, shows what there is. For a minute after it has shown less than `ample` times the top
 * bitrate, Algorithm 1 takes over with its multiples of three (`network-is-weak`) and fills the whole buffer. The
 * reserve is filled three times as fast as it plays, and so that is known early. Algorithm 1 also takes over where the
 * ABR algorithm goes by the buffer, and no throughput makes it pick the top rung yet (`buffer-is-to-grow`).
 *
 * Throws an Error that names an option that is unknown or out of range.
 */
export function smooth(options: SmoothOptions = {}): PacePolicy {
  const { reserve_s = 15, growth = 2, ample = 1.25, horizon_s = 60 } = options;
  const resolved = { reserve_s, growth, ample, horizon_s };
  demandKnown('smooth', options, resolved);
  for (const [name, value] of Object.entries(resolved))
    demand(value > 0, `option ${name}`, value, 'a number above 0');
  const generous = algorithm1(GENEROUS);
  return {
    name: 'smooth',
    choosePace(input) {
      const { phase, state, maxBuffer, abr, carried } = input;
      if (phase !== 'playing') return { pace: null, reason: phase };
      const top = topOf(state.ladder);
      if (Math.min(...carried) < ample * top.bitrate_kbps) {
        return { ...generous.choosePace(input), reason: 'network-is-weak' };
      }
      const bound = abr.requiredThroughput(state, top);
      // The reserve would never be enough for an algorithm that goes by the buffer.
      if (bound === Infinity) return { ...generous.choosePace(input), reason: 'buffer-is-to-grow' };

      const segments = lookahead(state, top, seconds(horizon_s));
      const reserve = seconds(Math.min(reserve_s, maxBuffer / 2));
      const urgent = GENEROUS.c0 * top.bitrate_kbps * Math.max(1, state.playbackRate);
      const planned = tautString(segments, state, { reserve, growth, maxBuffer }) / EXPECTED_GOODPUT;
      const least = Number.isFinite(bound) ? bound / GOODPUT_OF_PACE : 0;
      if (least > urgent) return { pace: null, reason: 'urgent', bound };
      if (least > planned) return { pace: kbps(least), reason: 'raised-to-eq-1', bound };
      // The step that keeps the buffer as it is while the planned segments arrive.
      const steady = kbps((bitrateOf(segments) * state.playbackRate) / EXPECTED_GOODPUT);
      const pace = nearestStep(kbps(planned), steady, kbps(least));
      return { pace: kbps(Math.min(urgent, pace)), reason: 'smoothed', bound };
    },
  };
}

/**
 * The slope with which the taut string begins. Seen from here each segment is a gate: it is `due` at one time, and
 * there is `room` for it from another on. The least rate that is in time for every gate so far, and the most that is
 * too early for none, come closer with each; the gate that would part them is where the string bends.
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
    // When as much is left as is to be kept by then: the reserve, or what has grown so far.
    const due = Math.max(plays - reserve, (plays - kept) / (1 + growth));
    // A player asks for the next segment when it fits in. Where a buffer is too short for both, being in time counts.
    const room = Math.min(due, (content + segment.duration - maxBuffer) / playbackRate);

    const [inTime, notTooEarly] = [rateAt(size, due), rateAt(size, room)];
    if (inTime > most) return kbps(most);
    if (notTooEarly < least) return kbps(least);
    least = Math.max(least, inTime);
    most = Math.min(most, notTooEarly);
  }
  return kbps(least);
}

/** Infinite where the time is over already. */
const rateAt = (size: number, time: number): number =>
  time > 0 ? rateOf(bytes(size), seconds(time)) : Infinity;
