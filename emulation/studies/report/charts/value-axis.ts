import type { MetricName } from '../../../player/records/metrics.ts';
import { axisLabel } from '../report-data.ts';

/** The horizontal axis of a metric's values. */
export const valueAxis = (metric: MetricName) =>
  ({
    label: axisLabel(metric),
    labelAnchor: 'center',
    grid: true,
    nice: true,
    ticks: 5,
  }) as const;
