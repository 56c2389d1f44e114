import * as Plot from '@observablehq/plot';
import type { Condition, SessionSettings } from '../../../player/records/session-settings.ts';
import type { MetricName } from '../../../player/records/metrics.ts';
import { cellName } from '../../../player/records/run-record.ts';
import type { Figure } from '../../../ground/drawing/figure.ts';
import type { Markup } from '../../../ground/drawing/html.ts';
import { formatPct, formatTick } from '../../../ground/drawing/format.ts';
import { paperValue } from '../paper.ts';
import { findComparison, listConditions, metricNamed, findPaired, type ReportData } from '../report-data.ts';
import { headlineMetrics } from '../headline.ts';
import { beyondNote, changeDomain, drawnChange, intervals } from './change-scale.ts';
import { plotScales } from '../../../ground/drawing/palette.ts';
import { armLooks } from './arm-looks.ts';
import { svg } from '../../../ground/drawing/svg.ts';

const ROW = 13;

/**
 * The percent change of every headline metric, with all treatments on one scale. There is a chart for each condition,
 * unless the experiment is paired.
 */
export function changes(data: ReportData): Figure[] {
  const { experiment } = data.manifest;
  const conditions = experiment.paired ? [undefined] : listConditions(experiment);
  return conditions.flatMap((condition) => changesUnder(data, condition));
}

function changesUnder(data: ReportData, condition: Condition | undefined): Figure[] {
  const { experiment } = data.manifest;
  const [control = ''] = experiment.arms;
  const rows = makeRows(data, condition);
  if (rows.length === 0) return [];
  return [
    {
      title: `Change against ${control}${condition ? `, ${condition.name}` : ''}`,
      caption:
        `Percent change of ${experiment.paired ? 'each condition, median over conditions' : 'the medians'}, ` +
        "with bootstrap 95% intervals. Crosses: the paper's value for that arm, in its lab where it has one." +
        beyondNote(rows),
      charts: [chart(rows, experiment)],
      legend: armLooks(experiment).slice(1),
      source: 'summary.json: comparisons.',
    },
  ];
}

type Row = ReturnType<typeof makeRows>[number];

function makeRows(data: ReportData, condition: Condition | undefined) {
  const { experiment } = data.manifest;
  const find = experiment.paired ? findPaired : findComparison;
  return headlineMetrics(experiment).flatMap((metric) =>
    experiment.arms.slice(1).flatMap((arm) => {
      const change = drawnChange(find(data, cellName(arm, condition?.name), metric));
      if (!change) return [];
      const { label } = metricNamed(metric);
      const title = `${arm}, ${label}: ${formatPct(change.change)}`;
      return [{ arm, metric: label, ...change, paper: paper(arm, metric), title }];
    }),
  );
}

function chart(rows: readonly Row[], experiment: SessionSettings): Markup {
  const [control = '', ...treatments] = experiment.arms;
  const shown = [...new Set(rows.map(({ metric }) => metric))];
  return svg(`percent change against ${control}, by metric and arm`, {
    width: 1080,
    height: 50 + shown.length * (treatments.length * ROW + 12),
    marginLeft: 250,
    marginRight: 16,
    marginTop: 8,
    x: {
      label: `change against ${control} (%)`,
      labelAnchor: 'center',
      grid: true,
      nice: true,
      clamp: true,
      domain: changeDomain(rows),
      tickFormat: formatTick,
    },
    y: { axis: null, domain: treatments },
    fy: { label: null, axis: 'left', domain: shown, padding: 0.12 },
    ...plotScales(armLooks(experiment)),
    marks: [
      Plot.frame({ stroke: 'var(--rule)', anchor: 'bottom' }),
      Plot.ruleX([0], { stroke: 'currentColor' }),
      intervals('x', 'arm', rows, { fy: 'metric', stroke: 'arm', strokeWidth: 2 }),
      Plot.dot(rows, {
        fy: 'metric',
        y: 'arm',
        x: 'change',
        fill: 'arm',
        symbol: 'arm',
        r: 4,
        title: 'title',
      }),
      Plot.dot(rows, {
        fy: 'metric',
        y: 'arm',
        x: 'paper',
        symbol: 'times',
        r: 4,
        stroke: 'currentColor',
        strokeWidth: 1.6,
      }),
    ],
  });
}

const paper = (arm: string, metric: MetricName): number | undefined =>
  (paperValue(arm, metric, 'lab') ?? paperValue(arm, metric, 'production'))?.change_pct;
