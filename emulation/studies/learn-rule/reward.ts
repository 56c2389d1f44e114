import type { Reward } from '../../../src/abr/pensieve/policy-inputs.ts';

/** The weights of a segment's reward: Q - λ |Q - Q_before| - μ T, where T is the stalled time, s. */
export interface RewardWeights {
  /** λ: the cost of a unit of difference to the previous rung. */
  readonly lambda: number;
  /** μ: the cost of a second of stalling. */
  readonly mu_per_s: number;
  /** The unit of Q, in reports. */
  readonly unit: string;
}

export const REWARDS: Readonly<Record<Reward, RewardWeights>> = {
  /** QoE_lin of Pensieve (SIGCOMM 2017, §5.1): Q is the bitrate in Mbit/s. */
  bitrate: { lambda: 1, mu_per_s: 4.3, unit: 'Mbit/s' },
  /** Puffer's (thesis §2.3.5): Q is SSIM in dB; the difference is to the previous rung for the same segment, as in `mpcHm`. */
  ssim: { lambda: 1, mu_per_s: 100, unit: 'dB' },
};

/** The reward of a segment whose rungs have these qualities. */
export function computeReward(
  { lambda, mu_per_s }: RewardWeights,
  quality: readonly number[],
  { rung, before, stalled_s }: { readonly rung: number; readonly before: number; readonly stalled_s: number },
): number {
  const here = quality[rung] ?? NaN;
  return here - lambda * Math.abs(here - (quality[before] ?? here)) - mu_per_s * stalled_s;
}
