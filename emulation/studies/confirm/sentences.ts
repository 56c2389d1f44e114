import { formatHundredths, formatValue } from '../../ground/drawing/format.ts';
import { metricNamed } from '../report/report-data.ts';
import type { MetricName } from '../../player/session/metrics.ts';
import type { Hypothesis } from './hypotheses.ts';

/** How a metric is said: what an arm has more or less of, in which unit, and the factor to that unit. */
interface Said {
  readonly label: string;
  readonly unit: string;
  readonly factor: number;
}

/** The sentence that may be said of a claim, whether it is shown or not. */
export function sentenceOf(hypothesis: Hypothesis): string {
  const { set, arm, against, traces, left_out, difference, bound, is_shown, is_skewed } = hypothesis;
  const { mean_difference, ci95, arm_mean, against_mean } = hypothesis;
  const { label, unit, factor } = saidOf(hypothesis.metric);
  const signed = (value: number) => formatHundredths(factor * value);
  const size = signed(Math.abs(mean_difference)).replace('+', '');
  const amount = [size, unit, mean_difference > 0 ? 'more' : 'less'].filter((part) => part !== '').join(' ');
  const details = [
    ...(ci95 ? [`95%: ${ci95.map(signed).join(' to ')}`] : []),
    `${formatValue(factor * arm_mean)} against ${formatValue(factor * against_mean)}`,
    `${traces} traces`,
    ...(left_out > 0 ? [`${left_out} without a value of both left out`] : []),
    ...(is_skewed ? ['few and skewed'] : []),
  ];
  const claim = `${difference} ${bound === 0 ? '0' : `${signed(bound)} ${unit}`.trim()}`;
  const found = `On ${set}, ${arm} has ${amount} ${label} than ${against} (${details.join('; ')})`;
  return `${found}; ${is_shown ? `shown: the difference is ${claim}` : `NOT shown: that the difference is ${claim}`}.`;
}

function saidOf(metric: MetricName): Said {
  // A share of the time is said in percentage points.
  if (metric === 'rebuffer_ratio') return { label: 'time stalled', unit: 'points', factor: 100 };
  const { unit, label } = metricNamed(metric);
  return { label, unit: unit === label ? '' : unit, factor: 1 };
}
