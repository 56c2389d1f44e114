import { signed } from '../neighborhood/sentence.ts';
import { METRICS, type MetricName, type Point } from './curve.ts';

/**
 * Returns the result that a test at this share would report, and the true effect of treating everybody. Null until
 * computed.
 */
export function effects(
  points: readonly Point[],
  share_pct: number,
  metric: MetricName,
): { readonly test_pct: number | null; readonly truth_pct: number | null } {
  const at = (share: number) => points.find((point) => point.share_pct === share);
  const change = (treated: number | undefined, control: number | undefined): number | null =>
    treated === undefined || control === undefined ? null : (100 * (treated - control)) / control;
  const chosen = at(share_pct);
  return {
    test_pct: change(chosen?.treatment?.[metric], chosen?.control?.[metric]),
    truth_pct: change(at(100)?.treatment?.[metric], at(0)?.control?.[metric]),
  };
}

/** Formats the effects as one line for the visitor. */
export function effectWords(points: readonly Point[], share_pct: number, metric: MetricName): string {
  const { test_pct, truth_pct } = effects(points, share_pct, metric);
  const { title } = METRICS[metric];
  const says = (value: number) => (Math.abs(value) < 0.5 ? 'no change' : `${signed(value, 0)}%`);
  if (truth_pct === null) return 'Computing …';
  const truth = `Everybody treated, compared with nobody: ${title} ${says(truth_pct)}.`;
  if (test_pct === null) return `At this share there is no other group to compare with. ${truth}`;
  return `The A/B test reports: ${title} ${says(test_pct)}. ${truth}`;
}
