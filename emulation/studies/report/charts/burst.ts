import * as Plot from '@observablehq/plot';
import type { MetricName } from '../../../player/records/metrics.ts';
import { listTreatments } from '../../../player/records/cells.ts';
import type { Figure } from '../../../ground/drawing/figure.ts';
import { formatPct } from '../../../ground/drawing/format.ts';
import type { Markup } from '../../../ground/drawing/html.ts';
import { paperBursts } from '../paper.ts';
import { findComparison, metricNamed, type ReportData } from '../report-data.ts';
import { changeAxis, drawnChange, intervals } from './change-scale.ts';
import { plotScales } from '../../../ground/drawing/palette.ts';
import { armLooks } from './arm-looks.ts';
import { svg } from '../../../ground/drawing/svg.ts';

const METRICS: readonly MetricName[] = ['retransmit_pct', 'queue_delay_mean_ms', 'chunk_throughput_kbps'];

/** Sammy Figure 4: the change relative to no pacing, by the minimum number of packets that are sent at once. */
export function burst(data: ReportData): Figure[] {
  const { experiment } = data.manifest;
  const [control = ''] = experiment.arms;
  const charts = METRICS.flatMap((metric) => panel(data, metric));
  if (charts.length === 0 || experiment.arms.length === 1) return [];
  return [
    {
      title: 'Effect of the burst size (Sammy Figure 4)',
      caption:
        `Percent change of the median against ${control}, which is not paced, with bootstrap 95% intervals. ` +
        "Crosses: the ends of the paper's curve, −60% at 4 packets and −40% at 40. " +
        'What lies beyond +100% stands at the edge.',
      charts,
      columns: 3,
      legend: armLooks(experiment).slice(1),
      source: `summary.json: comparisons of ${METRICS.join(', ')}.`,
    },
  ];
}

function panel(data: ReportData, metric: MetricName): Markup[] {
  const { experiment } = data.manifest;
  const rows = listTreatments(experiment).flatMap(({ arm, condition, name }) => {
    const change = drawnChange(findComparison(data, name, metric));
    const packets = condition?.burst_packets;
    if (!change || packets === undefined) return [];
    return [{ arm, packets, ...change, title: `${arm}, ${packets} packets: ${formatPct(change.change)}` }];
  });
  if (rows.length === 0) return [];
  const point = { x: 'packets', y: 'change' } as const;
  return [
    svg(`percent change in ${metricNamed(metric).label} by burst size`, {
      width: 380,
      height: 300,
      marginLeft: 44,
      marginTop: 34,
      x: {
        type: 'log',
        label: 'burst size (packets)',
        labelAnchor: 'center',
        ticks: [...new Set(rows.map(({ packets }) => packets))],
        tickFormat: 'd',
        insetLeft: 12,
        insetRight: 12,
      },
      y: changeAxis(rows, `${metricNamed(metric).label} (% change)`),
      ...plotScales(armLooks(experiment)),
      marks: [
        Plot.ruleY([0], { stroke: 'currentColor' }),
        Plot.line(rows, { ...point, stroke: 'arm', z: 'arm', strokeOpacity: 0.5 }),
        intervals('y', 'packets', rows, { stroke: 'arm', strokeWidth: 2 }),
        Plot.dot(rows, { ...point, fill: 'arm', symbol: 'arm', r: 5, title: 'title' }),
        ...(metric === 'retransmit_pct'
          ? [
              Plot.dot(paperBursts, {
                x: 'burst_packets',
                y: 'change_pct',
                symbol: 'times',
                r: 5,
                stroke: 'currentColor',
                strokeWidth: 1.6,
              }),
            ]
          : []),
      ],
    }),
  ];
}
