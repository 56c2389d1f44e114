import * as Plot from '@observablehq/plot';
import type { MetricName } from '../../../player/records/metrics.ts';
import { neighbors } from '../../../player/neighbors/index.ts';
import { listCells } from '../../../player/records/cells.ts';
import type { Figure } from '../../../ground/drawing/figure.ts';
import { formatValue } from '../../../ground/drawing/format.ts';
import type { Markup } from '../../../ground/drawing/html.ts';
import { IN_FLIGHT_NOTE } from '../headline.ts';
import { paperValue } from '../paper.ts';
import { axisLabel, findStatistics, type ReportData } from '../report-data.ts';
import { plotScales } from '../../../ground/drawing/palette.ts';
import { armLooks } from './arm-looks.ts';
import { intervals } from './change-scale.ts';
import { svg } from '../../../ground/drawing/svg.ts';
import { valueAxis } from './value-axis.ts';

const ROW = 24;
/** The width of the columns with names on the left side, px. */
const ARM_WIDTH = 104;
const CONDITION_WIDTH = 106;

/** Sammy Figure 8: each neighbor's result over the whole session, next to its result while a chunk was in flight. */
export const neighborBars = (data: ReportData): Figure[] =>
  neighbors.flatMap(({ bars: { title, whole, inFlight } }) =>
    bars(data, title, [whole, inFlight], `Left: the whole session. ${IN_FLIGHT_NOTE}`),
  );

/** Bars of every condition, for an experiment without a figure of its own. */
export const coreBars = (data: ReportData): Figure[] =>
  bars(data, 'Every condition', [
    'chunk_throughput_kbps',
    'rtt_median_ms',
    'play_delay_ms',
    'rebuffer_ratio',
  ]);

function bars(data: ReportData, title: string, metrics: readonly MetricName[], note = ''): Figure[] {
  const charts = metrics.flatMap((metric) => metricBars(data, metric));
  if (charts.length === 0) return [];
  const withPaper = metrics.some(
    (metric) => paperValue('sammy-paper', metric, 'lab')?.treatment !== undefined,
  );
  return [
    {
      title,
      caption: [
        'Median of the runs with its bootstrap 95% interval.',
        note,
        withPaper ? "Diamonds: the paper's values in its lab, for its control and for Sammy." : '',
      ]
        .filter((each) => each !== '')
        .join(' '),
      charts,
      columns: 2,
      source: `session.json of every valid run: ${metrics.join(', ')}.`,
    },
  ];
}

function metricBars(data: ReportData, metric: MetricName): Markup[] {
  const { experiment } = data.manifest;
  const rows = listCells(experiment).flatMap((cell) => {
    const statistics = findStatistics(data, cell.name, metric);
    if (!statistics) return [];
    const paper = paperValue('sammy-paper', metric, 'lab');
    return [
      {
        arm: cell.arm,
        condition: cell.condition?.name ?? '',
        median: statistics.median,
        low: statistics.ci95?.[0],
        high: statistics.ci95?.[1],
        paper:
          cell.arm === 'dashjs' ? paper?.control : cell.arm === 'sammy-paper' ? paper?.treatment : undefined,
      },
    ];
  });
  if (rows.length === 0) return [];
  const conditions = [...new Set(rows.map(({ condition }) => condition))];
  const place = { y: 'arm', fy: 'condition' } as const;
  return [
    svg(`${axisLabel(metric)}, by arm`, {
      width: 530,
      height: 60 + conditions.length * (experiment.arms.length * ROW + 6),
      marginLeft: ARM_WIDTH + (conditions.length > 1 ? CONDITION_WIDTH : 0),
      marginRight: 64,
      marginTop: 12,
      // If all values are 0, the axis needs an explicit domain; otherwise Plot draws bars across the whole chart.
      x: { ...valueAxis(metric), ...(rows.every(({ median }) => median === 0) && { domain: [0, 1] }) },
      y: { label: null, domain: [...experiment.arms], padding: 0.28, tickSize: 0 },
      fy: { axis: null, domain: conditions, padding: 0.06 },
      color: plotScales(armLooks(experiment)).color,
      marks: [
        // The conditions' names are to the left of the arms' names, which are at the axis.
        Plot.text(conditions.length > 1 ? conditions : [], {
          fy: (condition: string) => condition,
          text: (condition: string) => condition,
          frameAnchor: 'left',
          textAnchor: 'start',
          dx: 4 - CONDITION_WIDTH - ARM_WIDTH,
        }),
        Plot.barX(rows, { ...place, x: 'median', fill: 'arm', fillOpacity: 0.75 }),
        Plot.ruleX([0], { stroke: 'currentColor' }),
        intervals('x', 'arm', rows, { fy: 'condition', stroke: 'currentColor', strokeWidth: 1.6 }),
        Plot.dot(rows, {
          ...place,
          x: 'paper',
          symbol: 'diamond',
          r: 5,
          fill: 'var(--page)',
          stroke: 'currentColor',
        }),
        Plot.text(rows, {
          ...place,
          text: ({ median }: (typeof rows)[number]) => formatValue(median),
          frameAnchor: 'right',
          textAnchor: 'end',
          dx: 52,
          fontWeight: 600,
        }),
      ],
    }),
  ];
}
