import type { MetricName } from './metrics.ts';

/**
 * How much worse still counts as not worse, in the metric's own unit: stated before anything is measured, since an interval
 * that happens to contain 0 says only that there were too few runs.
 */
export const MARGINS: Partial<Readonly<Record<MetricName, number>>> & {
  readonly rebuffer_ratio: number;
  readonly mean_ssim_db: number;
} = {
  /** Half a percentage point. */
  rebuffer_ratio: 0.005,
  mean_ssim_db: 0.1,
};

/** How the margins are said: `0.5 percentage points of the rebuffer ratio, 0.1 dB of SSIM`. */
export const MARGINS_TEXT = `${100 * MARGINS.rebuffer_ratio} percentage points of the rebuffer ratio, ${MARGINS.mean_ssim_db} dB of SSIM`;
