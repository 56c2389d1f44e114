import { lookahead, type AbrAlgorithm, type AbrState } from './abr.ts';
import { topOf, type Rung } from './ladder.ts';
import { kbps, seconds, type Kbps } from './units.ts';

/**
 * HYB with lookahead (Akhtar et al. 2018, as modified in Sammy §4.2): the highest rung that keeps the
 * buffer above zero over the coming segments, if the network carries β times its estimate.
 *
 * After t segments the buffer is B_t = B_0 + D_t - S_t / (β x) (Sammy Theorem A.1), with S_t and D_t the
 * total size and duration of the first t. B_t >= 0 solved for x gives the throughput a rung needs,
 *
 *     x >= max_t  S_t / (β (B_0 + D_t)),
 *
 * which for a constant bitrate r is Eq. 1, x >= (r / β) / (1 + B_0 / D_T), and for segments of varying size
 * also guards every step on the way. The same function answers both questions of the interface, so the
 * pace that Eq. 1 allows and the rung that is then chosen cannot drift apart.
 *
 * Buffer and durations are divided by the playback rate: at double speed a second of content lasts half.
 */
export function hyb({ beta = 0.8, lookahead_s = 10 }: HybOptions = {}): AbrAlgorithm {
  const requiredThroughput = (state: AbrState, rung: Rung): Kbps => {
    let size_kbit = 0;
    let duration_s = 0;
    let required = 0;
    for (const segment of lookahead(state, rung, seconds(lookahead_s))) {
      size_kbit += (segment.size * 8) / 1000;
      duration_s += segment.duration;
      const available_s = (state.buffer + duration_s) / state.playbackRate;
      required = Math.max(required, size_kbit / (beta * available_s));
    }
    return kbps(required);
  };

  return {
    name: 'hyb',
    requiredThroughput,
    choose(state, throughput) {
      const sustainable = state.ladder.findLast((rung) => requiredThroughput(state, rung) <= throughput);
      if (!sustainable) return { rung: state.ladder[0], reason: 'nothing-sustainable' };
      return {
        rung: sustainable,
        reason: sustainable === topOf(state.ladder) ? 'top' : 'highest-sustainable',
      };
    },
  };
}

export interface HybOptions {
  /**
   * The share β of the estimate that HYB relies on, in (0, 1]. Our default 0.8 needs 1.25 times a rung's
   * bitrate at an empty buffer; Sammy §4.2 uses 0.5 as an example.
   */
  readonly beta?: number;
  /** The lookahead D_T, s. Five segments of 2 s, the horizon of MPC-style algorithms. */
  readonly lookahead_s?: number;
}
