import * as Plot from '@observablehq/plot';
import { conditionLooks } from '../../../emulation/ground/drawing/palette.ts';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { UNITS, type Comparison } from './comparison.ts';
import { METRICS, type Effects, type Metric } from './estimands.ts';
import type { AllocationRun } from './read-runs.ts';

const ARMS = ['control', 'treatment'] as const;
/** Horizontal distance of each arm's dots from their allocation, so that neither arm covers the other. */
const APART = 0.14;
const SCALES: Readonly<Record<Metric, { readonly label: string; readonly part: number }>> = {
  throughput_kbps: { label: 'throughput of an application (Mbit/s)', part: 1 / 1000 },
  retransmit_pct: { label: 'retransmitted bytes (%)', part: 1 },
};

export const comparisonLooks = ({ control, treatment }: Pick<Comparison, 'control' | 'treatment'>) =>
  conditionLooks([control.label, treatment.label]);

/**
 * Charts of one comparison: every application at every allocation p, and the arms' means μ_C(p) and μ_T(p), as in
 * Figure 1 of Unbiased Experiments in Congested Networks.
 */
export const comparisonCharts = (
  comparison: Comparison,
  runs: readonly AllocationRun[],
  effects: Readonly<Record<Metric, Effects>>,
): Markup[] => METRICS.map((metric) => chart(comparison, runs, metric, effects[metric]));

function chart(
  comparison: Comparison,
  runs: readonly AllocationRun[],
  metric: Metric,
  { points }: Effects,
): Markup {
  const { label, part } = SCALES[metric];
  const marks = ARMS.flatMap((arm, index) => {
    const { color: fill, symbol } = comparisonLooks(comparison)[index] ?? {
      color: 'currentColor',
      symbol: 'circle',
    };
    const x = (treated: number) => treated + (index - 0.5) * 2 * APART;
    const dots = runs.flatMap(({ cell: { treated }, result }) =>
      result.units
        .filter((unit) => unit.arm === arm)
        .map((unit) => ({ x: x(treated), y: unit[metric] * part })),
    );
    const means = points.flatMap((point) => {
      const mean = point[arm];
      return mean === null ? [] : [{ x: x(point.treated), y: mean * part }];
    });
    return [
      Plot.dot(dots, { x: 'x', y: 'y', fill, fillOpacity: 0.45, symbol, r: 2.5 }),
      Plot.lineY(means, { x: 'x', y: 'y', stroke: fill, strokeWidth: 1.6 }),
    ];
  });
  return svg(`${label} by the number of treated applications: ${comparison.title}`, {
    width: 540,
    height: 320,
    marginLeft: 46,
    x: {
      label: `applications of ${UNITS} with ${comparison.treatment.label}`,
      domain: [-0.5, UNITS + 0.5],
      ticks: UNITS,
    },
    y: { label, zero: true, nice: true, grid: true, ticks: 5 },
    marks: [Plot.ruleY([0], { stroke: 'var(--rule)' }), ...marks],
  });
}
