import { mean, variance } from '../../emulation/ground/statistics/bootstrap.ts';
import { exp, ln } from '../../emulation/ground/statistics/portable-math.ts';
import type { RateStep } from '../../emulation/network/links/link.ts';

/** Two epochs whose throughputs differ by less are in the same state. */
const SAME = 0.05;
/** Below this, Mbit/s, an epoch is an outage, which is no state of a network's throughput. */
const LEAST_MBPS = 0.01;

/** Pairs of epochs of one session that have the same throughput. */
export interface Clustering {
  readonly pairs: number;
  readonly same: number;
  /** As many as there would be if the logarithms of the throughputs were normally distributed, with the same variance. */
  readonly expected: number;
}

/** The mean rate of each whole epoch of `epoch_s` in the first `seconds`. */
export function splitEpochs(steps: readonly RateStep[], epoch_s: number, seconds: number): number[] {
  const epochs = Array.from({ length: Math.floor(seconds / epoch_s) }, () => ({ s: 0, megabits: 0 }));
  let time_s = 0;
  for (const { seconds: lasts_s, mbps } of steps)
    for (let left_s = lasts_s; left_s > 1e-9;) {
      const index = Math.floor(time_s / epoch_s + 1e-9);
      const epoch = epochs[index];
      if (!epoch) return epochRates(epochs, epoch_s);
      const part_s = Math.min(left_s, (index + 1) * epoch_s - time_s);
      epoch.s += part_s;
      epoch.megabits += part_s * mbps;
      time_s += part_s;
      left_s -= part_s;
    }
  return epochRates(epochs, epoch_s);
}

const epochRates = (epochs: readonly { s: number; megabits: number }[], epoch_s: number): number[] =>
  epochs.filter(({ s }) => s > epoch_s - 1e-6).map(({ s, megabits }) => megabits / s);

/** Null for a session of fewer than three epochs with throughput, or whose throughput never changes. */
export function measureClustering(epochs_mbps: readonly number[]): Clustering | null {
  const logs = epochs_mbps.filter((mbps) => mbps >= LEAST_MBPS).map(ln);
  if (logs.length < 3) return null;
  const spread = Math.sqrt(variance(logs));
  if (spread === 0) return null;
  const [pairs, threshold] = [(logs.length * (logs.length - 1)) / 2, ln(1 + SAME)];
  let same = 0;
  for (const [at, one] of logs.entries())
    for (const other of logs.slice(at + 1)) if (Math.abs(one - other) < threshold) same++;
  return { pairs, same, expected: pairs * errorFunction(threshold / (2 * spread)) };
}

/**
 * The number of equal pairs relative to the number expected without states: 1 without states, more with states that sessions
 * return to.
 */
export const clusteringRatio = (sessions: readonly Clustering[]): number =>
  mean(sessions.map(({ same, pairs }) => same / pairs)) /
  mean(sessions.map(({ expected, pairs }) => expected / pairs));

/** Abramowitz and Stegun 7.1.26, for x of 0 or more; wrong by 1.5e-7 at most. */
function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const polynomial =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return 1 - polynomial * exp(-x * x);
}
