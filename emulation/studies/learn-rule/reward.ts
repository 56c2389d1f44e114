import type { Reward } from '../../../src/abr/pensieve/policy-inputs.ts';

/** The weights of a segment's reward: Q - λ |Q - Q_before| - μ T. Q is the quality, and T the stalled time, s. */
export interface RewardWeights {
  /** λ: the cost per unit of difference from the previous rung's quality. */
  readonly lambda: number;
  /** μ: the cost per second of stalling. */
  readonly mu_per_s: number;
}

export const REWARDS: Readonly<Record<Reward, RewardWeights>> = {
  /** QoE_lin of Pensieve (SIGCOMM 2017, §5.1): Q is the bitrate in Mbit/s. */
  bitrate: { lambda: 1, mu_per_s: 4.3 },
  /**
   * The QoE of Puffer (thesis §2.3.5): Q is SSIM in dB. Q_before is the quality that the previous rung has in the same
   * segment, as in `mpcHm`.
   */
  ssim: { lambda: 1, mu_per_s: 100 },
};

/** Computes the reward of a segment. `quality` has the quality of the segment at each rung. */
export function computeReward(
  { lambda, mu_per_s }: RewardWeights,
  quality: readonly number[],
  { rung, before, stalled_s }: { readonly rung: number; readonly before: number; readonly stalled_s: number },
): number {
  const here = quality[rung] ?? NaN;
  return here - lambda * Math.abs(here - (quality[before] ?? here)) - mu_per_s * stalled_s;
}
