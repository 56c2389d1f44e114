import { demandKnown } from '../../demand-known.ts';
import { ABOVE_0, AT_LEAST_0, checkOption, SHARE } from '../../check-option.ts';
import { demand } from '../../demand.ts';
import { seconds, type Seconds } from '../../units.ts';
import type { AbrAlgorithm, AbrState } from '../abr.ts';
import { MpcSession, resolveQoe, type Prediction } from './mpc-session.ts';
import type { EndValue } from '../planner.ts';
import { harmonicMean } from '../predict.ts';
import type { QoeOptions } from '../qoe.ts';
import { throughputSample } from '../samples.ts';

export interface ScenarioOptions extends Omit<QoeOptions, 'steady'> {
  /**
   * The number of latest samples that are used as scenarios; from 1 to 10. With 5, a switch up takes longer.
   * @defaultValue 3
   */
  readonly samples?: number;
  /**
   * The throughput of an additional scenario, as a share of the lowest sample; in (0, 1]. With 0.35, there are fewer
   * stalls, but SSIM is 0.3 dB lower.
   * @defaultValue 0.5
   */
  readonly pessimism?: number;
  /**
   * The value of the first second of buffer at a plan's end, dB; at least 0.
   * @defaultValue 6
   */
  readonly reserve_db_per_s?: number;
  /**
   * The buffer level above which more buffer adds no value to a plan, as a share of the content received since the
   * start or a seek; above 0. It is at most the buffer target. With the whole buffer target from the start, the SSIM of
   * the first 20 s is lower.
   * @defaultValue 0.5
   */
  readonly reserve_share?: number;
}

/** The smallest reserve, s, before any content has arrived. */
const LEAST_RESERVE_S = 1e-3;

/**
 * MPC over scenarios: plans for each of the last three samples and for half of the lowest sample, and takes the first
 * step with the best mean value over these scenarios. A plan's value includes the buffer level at its end. MPC-HM
 * ignores everything after its horizon, so it drains the buffer completely.
 *
 * While the reserve grows, the buffer is too short to prevent stalls. If the network becomes much slower than expected,
 * the session abandons the download after 0.5 s for a rung that 0.8 of the throughput sustains (session/abandon.ts).
 * The plans for the slowest scenario do the same while the reserve grows. Once it is full, plans do not rely on
 * abandonment, because they would then switch more than once in 20 s at 60% of the top bitrate.
 *
 * With a reserve R and a buffer level b < R at its end, a plan loses w (R - b)² / 2R; w is `reserve_db_per_s`. The
 * first second of buffer adds about w dB to the value, and the last second below R almost nothing.
 *
 * Throws an Error that names an option that is unknown or out of range.
 */
export function scenarioMpc(options: ScenarioOptions = {}): AbrAlgorithm {
  const { samples = 3, pessimism = 0.5, reserve_db_per_s = 6, reserve_share = 0.5, ...qoe } = options;
  const whole = Number.isInteger(samples) && samples >= 1 && samples <= 10;
  demand(whole, 'option samples', samples, 'a whole number from 1 to 10');
  checkOption('pessimism', pessimism, SHARE);
  checkOption('reserve_db_per_s', reserve_db_per_s, AT_LEAST_0);
  checkOption('reserve_share', reserve_share, ABOVE_0);
  // `steady` is off, because the reserve has the same effect.
  const resolved = resolveQoe({ ...qoe, steady: false });
  const { steady, ...known } = resolved;
  demandKnown('scenarioMpc', options, { samples, pessimism, reserve_db_per_s, reserve_share, ...known });
  const prediction: Prediction = {
    throughput: harmonicMean,
    shares: (state) => scenarioShares(state, samples, pessimism),
    givesUp: ({ bufferTarget }, arrived) => reserve_share * arrived < bufferTarget,
    endValue: ({ bufferTarget, playbackRate }, arrived) =>
      endValue(seconds(Math.min(bufferTarget, reserve_share * arrived) / playbackRate), reserve_db_per_s),
  };
  return { name: 'scenario-mpc', session: () => new MpcSession(resolved, prediction) };
}

/**
 * The throughputs of the scenarios, as shares of the harmonic mean: a share of the lowest sample, and the latest
 * samples.
 */
function scenarioShares(state: AbrState, count: number, pessimism: number): [number, ...number[]] {
  const { downloads, throughput } = state;
  const middle = harmonicMean(state);
  const shares = downloads.slice(-count).map((download) => throughputSample(download, throughput) / middle);
  const known = shares.length > 0 ? shares : [1];
  return [pessimism * Math.min(...known), ...known];
}

/**
 * Returns the value of a buffer level at a plan's end: 0 at the reserve or above. Each second that is missing costs
 * more than the second before.
 */
export function endValue(reserve: Seconds, db_per_s: number): EndValue {
  const reserve_s = Math.max(LEAST_RESERVE_S, reserve);
  return (buffer_s) => (-db_per_s * Math.max(0, reserve_s - buffer_s) ** 2) / (2 * reserve_s);
}
