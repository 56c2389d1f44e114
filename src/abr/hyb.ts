import type { AbrAlgorithm, AbrOptions, AbrSession, AbrState } from './abr.ts';
import { lookahead } from './lookahead.ts';
import { inRange, checkOption, type Check } from '../check-option.ts';
import { demandKnown } from '../demand-known.ts';
import { topRung, type Rung } from '../film/ladder.ts';
import { kbps, seconds, type Kbps } from '../units.ts';

/**
 * The factor by which the throughput must exceed the requirement for a switch up. Chosen in simulations. At a steady
 * 60% of the top bitrate for 300 s, 1.1 and 1.15 cause 16 switches, and 1.2 causes 10 at the same SSIM. On a hundred
 * broadband and cellular traces, 1.2 causes a tenth fewer switches than 1.1 and lowers SSIM by 0.02 dB. At 1.3 and
 * above, quality falls.
 */
const UP_MARGIN = 1.2;
const STAY_BETA = 0.9;

/**
 * HYB with lookahead (Akhtar et al. 2018, as modified in Sammy §4.2): takes the highest rung that keeps the buffer above zero
 * over the upcoming segments, if the network sustains β times its estimate x.
 *
 * With B_0 the buffer level, and S_t and D_t the total size and duration of the first t segments:
 *
 * - After all T segments of the lookahead the buffer is B_T = B_0 + D_T - S_T / (β x) (Sammy Theorem A.1). B_T >= 0 solved
 *   for x gives x >= S_T / (β (B_0 + D_T)). For a constant bitrate r, this is Eq. 1: x >= (r / β) / (1 + B_0 / D_T).
 * - Playback does not stall before the end of the lookahead if each segment arrives before the preceding segments have
 *   played: x >= S_t / (B_0 + D_{t-1}). This condition covers large segments, which Eq. 1 averages out. With an empty
 *   buffer, playback waits for the first segment anyway, and the condition applies to the segments after the first. The
 *   condition does not apply if segments play while they arrive (low-latency live): with less than one segment
 *   buffered, no throughput would suffice.
 *
 * The choice has hysteresis, because it would otherwise change with every segment on a network between two rungs. A switch up
 * needs a margin of `UP_MARGIN`; a switch down happens only if `STAY_BETA` of the estimate does not sustain the rung.
 *
 * `choose` and `requiredThroughput` use the same function, so `choose` picks a rung or a higher one exactly if the
 * prediction reaches that rung's required throughput. Buffer level and durations are divided by the playback rate: at
 * double speed, one second of content lasts half a second.
 */
export const HYB: AbrAlgorithm = { name: 'hyb', session: (options) => hybSession(options) };

/** The checks of HYB's options. A function, so that bundlers can remove it where it is unused. */
export const hybChecks = (): Readonly<Record<keyof AbrOptions, Check>> => ({
  beta: inRange(0.05, 1),
  lookahead_s: inRange(1, 120),
});

/**
 * Creates HYB with its own options, which override Sammy's. Throws an Error that names an option that is unknown or out of
 * range.
 */
export const hyb = (own: HybOptions = {}): AbrAlgorithm => withOwnOptions(HYB, own);

/**
 * Creates a copy of `algorithm` with its own values for HYB's options. Throws an Error that names an option that is unknown
 * or out of range.
 */
export function withOwnOptions(algorithm: AbrAlgorithm, own: HybOptions): AbrAlgorithm {
  const checks = hybChecks();
  demandKnown(algorithm.name, own, checks);
  for (const option of Object.keys(own) as (keyof AbrOptions)[])
    checkOption(option, own[option], checks[option]);
  return { ...algorithm, session: (options) => algorithm.session({ ...options, ...own }) };
}

/** The inputs of HYB, or of an algorithm built on HYB, in one state. */
export interface HybPrediction {
  readonly predicted: Kbps;
  /**
   * Additional requirements for a rung: the buffer to keep until the end of the lookahead, s of content, and the lowest
   * throughput.
   */
  readonly requirements: (rung: Rung) => readonly [reserve_s: number, least: number];
}

/** Starts a session of HYB or of an algorithm built on HYB. */
export function hybSession(
  { beta, lookahead_s }: AbrOptions,
  predict: (state: AbrState) => HybPrediction = ({ throughput }) => ({
    predicted: throughput,
    requirements: () => [0, 0],
  }),
): AbrSession {
  /**
   * Returns the lowest throughput that meets all conditions. The condition at the end relies only on `share` of the
   * throughput.
   */
  const sustainingThroughput = (
    state: AbrState,
    rung: Rung,
    { requirements }: HybPrediction,
  ): ((share: number) => number) => {
    const buffer_s = state.buffer / state.playbackRate;
    const [reserve_s, least] = requirements(rung);
    let [size_kbit, duration_s, required] = [0, 0, least];
    /** With an empty buffer, the data that arrives before playback resumes. */
    let waitedFor_kbit = 0;
    for (const segment of lookahead(state, rung, seconds(lookahead_s))) {
      size_kbit += (segment.size * 8) / 1000;
      const playable_s = buffer_s + duration_s;
      if (state.lowLatency || playable_s <= 0) waitedFor_kbit = size_kbit;
      else required = Math.max(required, (size_kbit - waitedFor_kbit) / playable_s);
      duration_s += segment.duration / state.playbackRate;
    }
    const free_s = Math.max(0, buffer_s - reserve_s / state.playbackRate);
    required = Math.max(required, size_kbit / (free_s + duration_s));
    return (share) => Math.max(required, size_kbit / (share * (buffer_s + duration_s)));
  };

  const withInertia = ({ previous }: AbrState, rung: Rung, least: (share: number) => number): number =>
    rung.bitrate_kbps > (previous ?? rung).bitrate_kbps
      ? UP_MARGIN * least(beta)
      : least(previous ? Math.max(beta, STAY_BETA) : beta);

  return {
    requiredThroughput: (state, rung) =>
      kbps(withInertia(state, rung, sustainingThroughput(state, rung, predict(state)))),
    choose(state) {
      const { ladder } = state;
      const outlook = predict(state);
      let highest: Rung | undefined;
      const rung = ladder.findLast((rung) => {
        const least = sustainingThroughput(state, rung, outlook);
        if (least(beta) <= outlook.predicted) highest ??= rung;
        return withInertia(state, rung, least) <= outlook.predicted;
      });
      if (!rung) return { rung: ladder[0], reason: 'nothing-sustainable' };
      if (rung !== highest) return { rung, reason: 'held-by-inertia' };
      return { rung, reason: rung === topRung(ladder) ? 'top' : 'highest-sustainable' };
    },
  };
}

/** Options of HYB that override Sammy's. */
export type HybOptions = Partial<AbrOptions>;
