import * as Plot from '@observablehq/plot';
import type { MetricName } from '../../../player/records/metrics.ts';
import { cellName } from '../../../player/records/run-record.ts';
import type { Figure } from '../../../ground/drawing/figure.ts';
import { formatValue } from '../../../ground/drawing/format.ts';
import type { Markup } from '../../../ground/drawing/html.ts';
import { axisLabel, type ReportData } from '../report-data.ts';
import { conditionLooks, plotScales, type Look } from '../../../ground/drawing/palette.ts';
import { svg } from '../../../ground/drawing/svg.ts';

const METRICS: readonly MetricName[] = ['initial_ssim_db', 'initial_bitrate_kbps', 'play_delay_ms'];

/** Sammy Figure 6: successive sessions, each of which remembers the throughput of all earlier ones. */
export function history(data: ReportData): Figure[] {
  const looks = conditionLooks((data.manifest.experiment.conditions ?? []).map(({ name }) => name));
  const charts = METRICS.flatMap((metric) => panel(data, metric, looks));
  if (charts.length === 0) return [];
  return [
    {
      title: 'Session after session (Sammy Figure 6)',
      caption:
        'Each dot is one session, which remembers what those to its left measured; the lines differ in what the first one ' +
        'remembered. The paper shows the difference over a week, and gives no numbers in its text.',
      charts,
      columns: 3,
      legend: looks,
      source: `session.json of every valid run, by its number: ${METRICS.join(', ')}.`,
    },
  ];
}

function panel({ manifest, records }: ReportData, metric: MetricName, looks: readonly Look[]): Markup[] {
  const { runs } = manifest.experiment;
  const rows = records.flatMap(({ arm, condition = '', k, metrics }) => {
    const value = metrics[metric];
    if (value == null) return [];
    return [{ k, value, condition, session: cellName(arm, condition) }];
  });
  if (rows.length === 0) return [];
  const point = { x: 'k', y: 'value' } as const;
  return [
    svg(`${axisLabel(metric)}, session after session`, {
      width: 380,
      height: 280,
      marginLeft: 46,
      marginRight: 16,
      marginTop: 34,
      x: {
        label: 'session',
        labelAnchor: 'center',
        // Only whole numbers. For three sessions, Plot would also label halves, rounded to numbers that are already on
        // the axis.
        ticks: Array.from({ length: runs }, (_, index) => index + 1).filter(
          (k) => k % Math.ceil(runs / 10) === 0,
        ),
        tickFormat: 'd',
        inset: 10,
      },
      y: { label: axisLabel(metric), grid: true, nice: true, ticks: 5, inset: 8 },
      ...plotScales(looks),
      marks: [
        Plot.line(rows, { ...point, z: 'session', stroke: 'condition', strokeWidth: 1.6 }),
        Plot.dot(rows, {
          ...point,
          fill: 'condition',
          symbol: 'condition',
          r: 4.5,
          title: ({ session, k, value }: (typeof rows)[number]) => `${session}, ${k}: ${formatValue(value)}`,
        }),
      ],
    }),
  ];
}
