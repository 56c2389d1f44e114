import * as Plot from '@observablehq/plot';
import type { Condition, SessionSettings } from '../../../player/records/session-settings.ts';
import { listTreatments } from '../../../player/records/cells.ts';
import type { Figure } from '../../../ground/drawing/figure.ts';
import { formatTick } from '../../../ground/drawing/format.ts';
import type { Markup } from '../../../ground/drawing/html.ts';
import { paperTradeoff } from '../paper.ts';
import { findComparison, findStatistics, type ReportData } from '../report-data.ts';
import { plotScales } from '../../../ground/drawing/palette.ts';
import { armLooks } from './arm-looks.ts';
import { svg } from '../../../ground/drawing/svg.ts';

/** Sammy Figure 5: one point for each set of parameters. */
export function tradeoff(data: ReportData): Figure[] {
  const { experiment } = data.manifest;
  const [control = ''] = experiment.arms;
  const points = makePoints(data);
  if (points.length === 0 || experiment.arms.length === 1) return [];
  return [
    {
      title: 'Quality against chunk throughput (Sammy Figure 5)',
      caption:
        `Each point is one choice of parameters; change of the medians against ${control}, with bootstrap 95% intervals. ` +
        "Hollow: some session rebuffered. Crosses: points of the paper, whose quality is VMAF and whose users' networks differ.",
      charts: [chart(points, experiment)],
      legend: armLooks(experiment).slice(1),
      source: 'summary.json: comparisons of chunk_throughput_kbps and mean_ssim_db.',
    },
  ];
}

type Point = ReturnType<typeof makePoints>[number];

/**
 * Returns the points, sorted from the largest saving to the smallest, so that the labels of neighboring points can
 * alternate between above and below.
 */
function makePoints(data: ReportData) {
  const points = listTreatments(data.manifest.experiment).flatMap(({ arm, condition, name }) => {
    const throughput = findComparison(data, name, 'chunk_throughput_kbps');
    const quality = findComparison(data, name, 'mean_ssim_db');
    if (throughput?.change_pct == null || quality?.change_pct == null) return [];
    return [
      {
        arm,
        label: pointLabel(arm, condition),
        throughput: throughput.change_pct,
        throughputInterval: throughput.ci95_pct,
        quality: quality.change_pct,
        qualityInterval: quality.ci95_pct,
        stalled: (findStatistics(data, name, 'rebuffer_ratio')?.mean ?? 0) > 0,
      },
    ];
  });
  return points.sort((a, b) => a.throughput - b.throughput);
}

function chart(points: readonly Point[], experiment: SessionSettings): Markup {
  const [control = ''] = experiment.arms;
  return svg('change in SSIM against change in chunk throughput', {
    width: 1080,
    height: 460,
    marginLeft: 60,
    marginTop: 34,
    marginBottom: 44,
    marginRight: 30,
    x: {
      label: `change in chunk throughput against ${control} (%)`,
      labelAnchor: 'center',
      grid: true,
      nice: true,
      tickFormat: formatTick,
      inset: 30,
    },
    y: {
      tickFormat: formatTick,
      label: `change in mean SSIM against ${control} (%)`,
      grid: true,
      nice: true,
      inset: 10,
    },
    ...plotScales(armLooks(experiment)),
    marks: [
      Plot.ruleY([0], { stroke: 'currentColor' }),
      ...intervals(points),
      Plot.dot(
        points.filter(({ stalled }) => stalled),
        {
          x: 'throughput',
          y: 'quality',
          symbol: 'arm',
          r: 5,
          stroke: 'arm',
          strokeWidth: 2,
          fill: 'var(--page)',
        },
      ),
      Plot.dot(
        points.filter(({ stalled }) => !stalled),
        { x: 'throughput', y: 'quality', symbol: 'arm', r: 5, fill: 'arm' },
      ),
      ...[-13, 14].map((dy, parity) =>
        Plot.text(
          points.filter((_, index) => index % 2 === parity),
          { x: 'throughput', y: 'quality', text: 'label', dy, fill: 'currentColor' },
        ),
      ),
      ...papersPoints,
    ],
  });
}

/** Draws the 95% intervals of the points as crosses. */
function intervals(points: readonly Point[]) {
  const bar = { stroke: 'arm', strokeOpacity: 0.5 } as const;
  return [
    Plot.link(points, {
      ...bar,
      x1: ({ throughput, throughputInterval }: Point) => throughputInterval?.[0] ?? throughput,
      x2: ({ throughput, throughputInterval }: Point) => throughputInterval?.[1] ?? throughput,
      y1: 'quality',
      y2: 'quality',
    }),
    Plot.link(points, {
      ...bar,
      x1: 'throughput',
      x2: 'throughput',
      y1: ({ quality, qualityInterval }: Point) => qualityInterval?.[0] ?? quality,
      y2: ({ quality, qualityInterval }: Point) => qualityInterval?.[1] ?? quality,
    }),
  ];
}

const papersPoints = [
  Plot.dot(paperTradeoff, {
    x: 'throughput_pct',
    y: 'quality_pct',
    symbol: 'times',
    r: 5,
    stroke: 'currentColor',
    strokeWidth: 1.6,
  }),
  Plot.text(paperTradeoff, {
    x: 'throughput_pct',
    y: 'quality_pct',
    text: 'label',
    dy: 14,
    fill: 'var(--faint)',
  }),
];

/** The label of a point with the parameters c0 and c1: `3.2 → 2.8`. */
function pointLabel(arm: string, condition: Condition | undefined): string {
  const { c0, c1 } = condition?.sammy ?? {};
  return c0 === undefined || c1 === undefined ? (condition?.name ?? arm) : `${c0} → ${c1}`;
}
