import * as Plot from '@observablehq/plot';
import type { MetricName } from '../../../player/records/metrics.ts';
import { cellName } from '../../../player/records/run-record.ts';
import { listCells } from '../../../player/records/cells.ts';
import type { Figure } from '../../../ground/drawing/figure.ts';
import { formatValue } from '../../../ground/drawing/format.ts';
import type { Markup } from '../../../ground/drawing/html.ts';
import { axisLabel, findStatistics, type ReportData } from '../report-data.ts';
import { plotScales } from '../../../ground/drawing/palette.ts';
import { armLooks } from './arm-looks.ts';
import { intervals } from './change-scale.ts';
import { svg } from '../../../ground/drawing/svg.ts';
import { valueAxis } from './value-axis.ts';

const METRICS: readonly MetricName[] = [
  'chunk_throughput_kbps',
  'rtt_median_ms',
  'mean_ssim_db',
  'rebuffer_ratio',
];

/** The values of every arm on every trace. A line shows the change within a trace. */
export function traces(data: ReportData): Figure[] {
  const { experiment } = data.manifest;
  const [control = ''] = experiment.arms;
  const speed = (trace: string) =>
    findStatistics(data, cellName(control, trace), 'chunk_throughput_kbps')?.median ?? 0;
  const names = (experiment.conditions ?? []).map(({ name }) => name).sort((a, b) => speed(b) - speed(a));
  const charts = METRICS.flatMap((metric) => panel(data, metric, names));
  if (charts.length === 0) return [];
  return [
    {
      title: 'Trace by trace',
      caption:
        'Each row is one trace, and a line joins its arms: what lies between them is the arms, not the network. ' +
        `Sorted by the chunk throughput of ${control}.`,
      charts,
      columns: 2,
      legend: armLooks(experiment),
      source: `session.json of every valid run: ${METRICS.join(', ')}.`,
    },
  ];
}

function panel(data: ReportData, metric: MetricName, names: readonly string[]): Markup[] {
  const { experiment } = data.manifest;
  const rows = listCells(experiment).flatMap(({ arm, condition, name }) => {
    const statistics = findStatistics(data, name, metric);
    if (!statistics || !condition) return [];
    const { median, ci95 } = statistics;
    return [
      {
        arm,
        trace: condition.name,
        median,
        low: ci95?.[0],
        high: ci95?.[1],
        title: `${arm}, ${condition.name}: ${formatValue(median)}`,
      },
    ];
  });
  if (rows.length === 0) return [];
  return [
    svg(`${axisLabel(metric)}, by trace and arm`, {
      width: 530,
      height: 70 + names.length * 26,
      // The margin for the longest name, at about 6.4 px per letter.
      marginLeft: 16 + 6.4 * Math.max(...names.map((name) => name.length)),
      marginRight: 16,
      marginTop: 12,
      x: {
        ...valueAxis(metric),
        // If all values are 0, which is the best value, the axis needs an explicit domain.
        ...(rows.every(({ median }) => median === 0) && { domain: [0, 0.01] }),
      },
      y: { type: 'point', label: null, domain: [...names], tickSize: 0 },
      ...plotScales(armLooks(experiment)),
      marks: [
        Plot.line(rows, { y: 'trace', x: 'median', z: 'trace', stroke: 'var(--rule)', strokeWidth: 3 }),
        intervals('x', 'trace', rows, { stroke: 'arm', strokeOpacity: 0.6 }),
        Plot.dot(rows, { y: 'trace', x: 'median', fill: 'arm', symbol: 'arm', r: 4.5, title: 'title' }),
      ],
    }),
  ];
}
