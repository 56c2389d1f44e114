import { demandKnown } from '../../demand-known.ts';
import { demand } from '../../demand.ts';
import { seconds, type Seconds } from '../../units.ts';
import type { AbrAlgorithm, AbrState } from '../abr.ts';
import { MpcSession, resolveQoe, type Prediction } from './mpc-session.ts';
import type { EndValue } from '../planner.ts';
import { harmonicMean } from '../predict.ts';
import type { QoeOptions } from '../qoe.ts';
import { sampleOf } from '../samples.ts';

export interface ScenarioOptions extends Omit<QoeOptions, 'steady'> {
  /**
   * So many of the latest samples are a scenario each; from 1 to 10. Ours: with 5 a switch up takes longer.
   * @defaultValue 3
   */
  readonly samples?: number;
  /**
   * One scenario more has this share of the least of them; in (0, 1]. Ours: 0.35 stalls less, at 0.3 dB.
   * @defaultValue 0.5
   */
  readonly pessimism?: number;
  /**
   * At the end of a plan, the first second that is buffered is worth so many dB; at least 0. Ours.
   * @defaultValue 6
   */
  readonly reserve_db_per_s?: number;
  /**
   * Of what has arrived since the start or a seek, so much is to be kept as a reserve, up to what the player fills up to;
   * above 0. Ours: with the whole reserve from the start on, the first 20 s have less SSIM than dash.js's.
   * @defaultValue 0.5
   */
  readonly reserve_share?: number;
}

/** The smallest reserve, s: before anything has arrived. */
const LEAST_RESERVE_S = 1e-3;

/**
 * MPC over scenarios, ours: it plans for each of the last three samples, and for half of the least of them. The first step
 * is the one that is best in the mean over these; the rest of each plan knows its scenario. What a plan leaves in the
 * buffer counts: MPC-HM, for which the world ends with its horizon, runs the buffer down to nothing.
 *
 * While the reserve grows there is little that a stall could be avoided with. If the network turns out to be as slow as
 * nobody expects, the download is given up for a lower rung, half a second later and then 0.8 times as fast
 * (session/abandon.ts), and so plans for that case do the same. Later the reserve is there, and plans that rely on giving
 * up would switch more than once in 20 s at 60% of the top bitrate.
 *
 * With a reserve R and b buffered at the end, the plan is worth w (R - b)² / 2R less where b < R: the first second is worth
 * w dB, and the last one before R nothing.
 *
 * Throws an Error that names an option that is unknown or out of range.
 */
export function scenarioMpc(options: ScenarioOptions = {}): AbrAlgorithm {
  const { samples = 3, pessimism = 0.5, reserve_db_per_s = 6, reserve_share = 0.5, ...qoe } = options;
  const whole = Number.isInteger(samples) && samples >= 1 && samples <= 10;
  demand(whole, 'option samples', samples, 'a whole number from 1 to 10');
  demand(pessimism > 0 && pessimism <= 1, 'option pessimism', pessimism, 'a number above 0, at most 1');
  demand(
    reserve_db_per_s >= 0 && reserve_db_per_s < Infinity,
    'option reserve_db_per_s',
    reserve_db_per_s,
    'a number of at least 0',
  );
  demand(
    reserve_share > 0 && reserve_share < Infinity,
    'option reserve_share',
    reserve_share,
    'a number above 0',
  );
  // The reserve does what `steady` does for the others.
  const resolved = resolveQoe({ ...qoe, steady: false });
  const { steady, ...known } = resolved;
  demandKnown('scenarioMpc', options, { samples, pessimism, reserve_db_per_s, reserve_share, ...known });
  const prediction: Prediction = {
    throughput: harmonicMean,
    shares: (state) => sharesOf(state, samples, pessimism),
    givesUp: ({ bufferTarget }, arrived) => reserve_share * arrived < bufferTarget,
    endValue: ({ bufferTarget, playbackRate }, arrived) =>
      endValue(seconds(Math.min(bufferTarget, reserve_share * arrived) / playbackRate), reserve_db_per_s),
  };
  return { name: 'scenario-mpc', session: () => new MpcSession(resolved, prediction) };
}

/** The latest samples, and a part of the least, in shares of the harmonic mean. */
function sharesOf(state: AbrState, count: number, pessimism: number): [number, ...number[]] {
  const { downloads, throughput } = state;
  const middle = harmonicMean(state);
  const shares = downloads.slice(-count).map((download) => sampleOf(download, throughput) / middle);
  const known = shares.length > 0 ? shares : [1];
  return [pessimism * Math.min(...known), ...known];
}

/** A buffer that is never below the reserve is worth 0, and every second that is missing more than the one before. */
export function endValue(reserve: Seconds, db_per_s: number): EndValue {
  const reserve_s = Math.max(LEAST_RESERVE_S, reserve);
  return (buffer_s) => (-db_per_s * Math.max(0, reserve_s - buffer_s) ** 2) / (2 * reserve_s);
}
