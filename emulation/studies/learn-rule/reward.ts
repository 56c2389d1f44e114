import type { Reward } from '../../../src/abr/pensieve/policy-inputs.ts';

/** What a segment is worth: Q - λ |Q - Q_before| - μ T, where T is how long it stalled playback, s. */
export interface Experience {
  /** λ: what a unit of difference to the rung before costs. */
  readonly lambda: number;
  /** μ: what a second of stalling costs. */
  readonly mu_per_s: number;
  /** Of Q, in reports. */
  readonly unit: string;
}

export const REWARDS: Readonly<Record<Reward, Experience>> = {
  /** QoE_lin of Pensieve (SIGCOMM 2017, §5.1): Q is the bitrate in Mbit/s. */
  bitrate: { lambda: 1, mu_per_s: 4.3, unit: 'Mbit/s' },
  /** Puffer's (thesis §2.3.5): Q is SSIM in dB; the difference is to the rung before of the same segment, as in `mpcHm`. */
  ssim: { lambda: 1, mu_per_s: 100, unit: 'dB' },
};

/** The reward of a segment of which all rungs have these qualities. */
export function rewardOf(
  { lambda, mu_per_s }: Experience,
  quality: readonly number[],
  { rung, before, stalled_s }: { readonly rung: number; readonly before: number; readonly stalled_s: number },
): number {
  const here = quality[rung] ?? NaN;
  return here - lambda * Math.abs(here - (quality[before] ?? here)) - mu_per_s * stalled_s;
}
