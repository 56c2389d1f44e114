import * as Plot from '@observablehq/plot';
import type { Figure } from '../../../ground/drawing/figure.ts';
import { formatPct } from '../../../ground/drawing/format.ts';
import { paperBands } from '../paper.ts';
import { findComparison, type ReportData } from '../report-data.ts';
import { listTreatments } from '../../../player/records/cells.ts';
import { beyondNote, changeAxis, drawnChange, intervals } from './change-scale.ts';
import { plotScales } from '../../../ground/drawing/palette.ts';
import { armLooks } from './arm-looks.ts';
import { svg } from '../../../ground/drawing/svg.ts';

/** Sammy Figure 3: the reduction of the chunk throughput, by the link's rate. */
export function networks(data: ReportData): Figure[] {
  const { experiment } = data.manifest;
  const [control = ''] = experiment.arms;
  const rows = listTreatments(experiment).flatMap(({ arm, condition, name }) => {
    const change = drawnChange(findComparison(data, name, 'chunk_throughput_kbps'));
    const rate = (condition?.link ?? experiment.link).rate;
    if (!change || rate.kind !== 'constant') return [];
    const { mbps } = rate;
    return [{ arm, mbps, ...change, title: `${arm} at ${mbps} Mbit/s: ${formatPct(change.change)}` }];
  });
  if (rows.length === 0 || experiment.arms.length === 1) return [];
  const rates = [...new Set(rows.map(({ mbps }) => mbps))].sort((a, b) => a - b);
  const place = { fx: 'mbps', x: 'arm' } as const;
  const paper = rates.flatMap((mbps) => {
    const band = paperBands.findLast(({ above_mbps }) => mbps > above_mbps);
    return band?.change_pct === undefined ? [] : [{ mbps, change: band.change_pct }];
  });
  return [
    {
      title: 'Chunk throughput by link rate (Sammy Figure 3)',
      caption:
        `Percent change of the median against ${control} on the same link, with bootstrap 95% intervals. ` +
        "Line: the paper's −74% above 90 Mbit/s; its text gives no number for the other bands, only that the change is clear above 6 Mbit/s." +
        beyondNote(rows),
      charts: [
        svg('percent change in chunk throughput by link rate', {
          width: 1080,
          height: 340,
          marginLeft: 60,
          marginBottom: 44,
          x: { axis: null, domain: experiment.arms.slice(1), padding: 0.6 },
          fx: {
            label: "link rate in Mbit/s (the paper's band of users in brackets)",
            labelAnchor: 'center',
            axis: 'bottom',
            domain: rates,
            padding: 0.1,
            tickFormat: (mbps: number) =>
              `${mbps} (${paperBands.findLast(({ above_mbps }) => mbps > above_mbps)?.label ?? ''})`,
          },
          y: changeAxis(rows, `change in chunk throughput against ${control} (%)`),
          ...plotScales(armLooks(experiment)),
          marks: [
            Plot.ruleY([0], { stroke: 'currentColor' }),
            Plot.ruleY(paper, { fx: 'mbps', y: 'change', stroke: 'currentColor', strokeDasharray: '4 3' }),
            intervals('y', 'arm', rows, { fx: 'mbps', stroke: 'arm', strokeWidth: 2 }),
            Plot.dot(rows, { ...place, y: 'change', fill: 'arm', symbol: 'arm', r: 5, title: 'title' }),
          ],
        }),
      ],
      legend: armLooks(experiment).slice(1),
      source: 'summary.json: comparisons of chunk_throughput_kbps within each condition.',
    },
  ];
}
