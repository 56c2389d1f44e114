import type { MetricName } from './metrics.ts';

/**
 * The largest change of each metric that counts as negligible, in the metric's own unit. Fixed before the measurements,
 * because an interval that contains 0 may just result from too few runs.
 */
export const MARGINS: Partial<Readonly<Record<MetricName, number>>> & {
  readonly rebuffer_ratio: number;
  readonly mean_ssim_db: number;
} = {
  /** Half a percentage point. */
  rebuffer_ratio: 0.005,
  /** The avoidable part of the rebuffer ratio, in the same unit. */
  avoidable_rebuffer_ratio: 0.005,
  mean_ssim_db: 0.1,
};

/** The margin of all other metrics, in % of the control. */
export const OTHER_MARGIN_PCT = 1;

/** The margins as text: `0.5 percentage points of the rebuffer ratio, 0.1 dB of SSIM`. */
export const MARGINS_TEXT = `${100 * MARGINS.rebuffer_ratio} percentage points of the rebuffer ratio, ${MARGINS.mean_ssim_db} dB of SSIM`;

/** Explains the terms of the lab's verdicts, for reports and the reference of the metrics. */
export const VERDICT_WORDS =
  'Better or worse: the 95% interval excludes 0; slightly, if all of it also lies within the margin that was set in ' +
  `advance (${MARGINS_TEXT}, ${OTHER_MARGIN_PCT}% for other metrics). Not worse: the interval contains 0, and all of it ` +
  'lies within the margin. Cannot tell: the interval contains 0 and reaches beyond the margin. Changed: neither ' +
  'direction is better, because pacing changes the metric by design.';
