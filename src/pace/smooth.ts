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

/**
 * Sammy's own c0 and c1 (§5). Used while the network is weak; c0 is also the largest multiple for an almost empty
 * buffer.
 */
const GENEROUS = { c0: 3.2, c1: 2.8 };

export interface SmoothOptions {
  /**
   * The buffer level to maintain, s; limited to half of the player's maximum. A higher level is safer, but raises the
   * chunk throughput of a session of T seconds by the share reserve / T, because the reserve has to be downloaded too.
   * @defaultValue 15
   */
  readonly reserve_s?: number;
  /**
   * The growth of a buffer below the reserve, in seconds of content per second. While the next segment arrives, half of
   * the buffer is kept, and growth applies to the other half.
   * @defaultValue 2
   */
  readonly growth?: number;
  /**
   * If the network's throughput was recently below this multiple of the top bitrate, the network counts as weak. HYB
   * with its β of 0.8 needs 1 / 0.8 = 1.25 for the top rung with an empty buffer. On a fast link, a larger share of the
   * capacity remains even while others download.
   * @defaultValue 1.25
   */
  readonly ample?: number;
  /**
   * The content that the plan covers, s. A longer horizon does not improve the plan, even with a buffer of two minutes.
   * @defaultValue 60
   */
  readonly horizon_s?: number;
}

/**
 * A pace planned from the sizes of the upcoming segments: the optimal smoothing of stored video (Salehi, Zhang, Kurose and
 * Towsley, SIGMETRICS 1996), recomputed for each segment.
 *
 * The curve of received bytes over time has a lower and an upper limit. The lower limit is the played content plus a
 * reserve. The upper limit is the player's buffer capacity, because a player with a full buffer pauses and has to
 * download faster afterwards. The smoothest curve, with the lowest peak and the smallest variance, is a string pulled
 * taut between these limits. The pace is the initial slope of this string. Before a large segment, the pace therefore
 * rises early and slightly, and stays below the segment's own bitrate while it arrives (`smoothed`). The result is
 * rounded to one of a few steps.
 *
 * The network's throughput does not matter while the network sustains this pace. A download that is slower than its
 * pace, or has no pace, is a sample of the throughput. For a minute after a sample below `ample` times the top bitrate,
 * Algorithm 1 with its multiples of about three is used instead (`network-is-weak`), which fills the entire buffer. The
 * reserve is filled at three times the playback speed, so a weak network is detected early. Algorithm 1 is also used if
 * the ABR algorithm is buffer-based and no throughput makes it pick the top rung yet (`buffer-is-to-grow`).
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
      // With only the reserve buffered, a buffer-based algorithm would never pick the top rung.
      if (bound === Infinity) return { ...generous.choosePace(input), reason: 'buffer-is-to-grow' };

      const segments = lookahead(state, top, seconds(horizon_s));
      const reserve = seconds(Math.min(reserve_s, maxBuffer / 2));
      const urgent = GENEROUS.c0 * top.bitrate_kbps * Math.max(1, state.playbackRate);
      const planned = tautString(segments, state, { reserve, growth, maxBuffer }) / EXPECTED_GOODPUT;
      const least = Number.isFinite(bound) ? bound / GOODPUT_OF_PACE : 0;
      if (least > urgent) return { pace: null, reason: 'urgent', bound };
      if (least > planned) return { pace: kbps(least), reason: 'raised-to-eq-1', bound };
      // The pace that keeps the buffer level constant on average over the planned segments. It is the anchor of the
      // steps.
      const steady = kbps((meanBitrate(segments) * state.playbackRate) / EXPECTED_GOODPUT);
      const pace = nearestStep(kbps(planned), steady, kbps(least));
      return { pace: kbps(Math.min(urgent, pace)), reason: 'smoothed', bound };
    },
  };
}

/**
 * Returns the initial slope of the taut string. Each segment must arrive between two times: `room`, when the buffer has
 * space for it, and `due`. The loop keeps the lowest rate at which every segment so far is in time, and the highest
 * rate at which no segment is too early. Both converge with each segment, and the string's first bend is at the segment
 * where they would cross.
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
    // The time by which the segment must arrive to keep the reserve or, while the buffer grows, the level reached so
    // far.
    const due = Math.max(plays - reserve, (plays - kept) / (1 + growth));
    // A player requests the next segment when it fits into the buffer. If it fits only after `due`, arriving in time
    // has priority.
    const room = Math.min(due, (content + segment.duration - maxBuffer) / playbackRate);

    const [inTime, notTooEarly] = [rateAt(size, due), rateAt(size, room)];
    if (inTime > most) return kbps(most);
    if (notTooEarly < least) return kbps(least);
    least = Math.max(least, inTime);
    most = Math.min(most, notTooEarly);
  }
  return kbps(least);
}

const rateAt = (size: number, time: number): number =>
  time > 0 ? averageRate(bytes(size), seconds(time)) : Infinity;
