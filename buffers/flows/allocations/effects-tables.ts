import { formatPct, formatPctInterval, formatValue } from '../../../emulation/ground/drawing/format.ts';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { table } from '../../../emulation/ground/drawing/table.ts';
import { UNITS, type Comparison, type PaperFindings } from './comparison.ts';
import { METRICS, type Effect, type Effects, type Metric, type Point } from './estimands.ts';

type AllEffects = Readonly<Record<Metric, Effects>>;

const NOTHING = '–';
/** Formats an effect, such as `+98.0% (+91.2 to +105)`. The interval over runs is omitted if there is only one run. */
function effectText(effect: Effect | null): string {
  if (effect === null) return NOTHING;
  const { pct, interval_pct } = effect;
  return interval_pct === null ? formatPct(pct) : `${formatPct(pct)} (${formatPctInterval(interval_pct)})`;
}

/** A table of the results in Unbiased Experiments in Congested Networks next to ours. */
export const besideThePaper = ({ paper }: Comparison, effects: AllEffects): Markup => {
  const rows: readonly (readonly [string, keyof PaperFindings, (effects: Effects) => string])[] = [
    ['τ(p): an A/B test, over the control beside it', 'tau', ({ points }) => rangeText(points)],
    ['TTE: deployed to all', 'tte', ({ tte }) => effectText(tte)],
    ['s(p): spillover on the last of the control', 'spillover', ({ points }) => lastSpillover(points)],
  ];
  return table(
    ['', 'throughput: paper', 'here', 'retransmissions: paper', 'here'],
    rows.map(([title, name, of]) => [
      title,
      paper[name].throughput,
      of(effects.throughput_kbps),
      paper[name].retransmissions,
      of(effects.retransmit_pct),
    ]),
  );
};

/** States which differences may be due to chance. */
export function chanceSentence({ points }: Effects): string {
  const least = Math.min(...points.map(({ runs }) => runs));
  return least < 2
    ? 'One run of an allocation cannot tell chance from an effect, so there are no intervals; --runs 5 makes some.'
    : 'In parentheses: 95% intervals by Student’s t over runs. An effect of any size within the interval is compatible with these runs.';
}

/** A table of the means of both arms and of the A/B test's result at each allocation. */
export const byAllocation = (effects: AllEffects): Markup =>
  table(
    ['treated', 'runs', ...METRICS.flatMap(() => ['control', 'treatment', 'τ', 's'])],
    effects.throughput_kbps.points.map((point, index) => [
      String(point.treated),
      String(point.runs),
      ...pointCells(point, 1 / 1000, ' Mbit/s'),
      ...pointCells(effects.retransmit_pct.points[index] ?? point, 1, '%'),
    ]),
  );

/**
 * Contrasts the result of a naive A/B test with the effect of full deployment: `An A/B test with 1 of 10 treated says
 * +98% of throughput; deployed to all, it is +0.4%.`
 */
export function naiveSentence({ points, tte }: Effects): string | undefined {
  const test = points.find(({ tau }) => tau !== null);
  if (!test || tte === null) return undefined;
  return (
    `An A/B test with ${test.treated} of ${UNITS} treated says ${effectText(test.tau)} of throughput; ` +
    `deployed to all, the change is ${effectText(tte)}.`
  );
}

const pointCells = ({ control, treatment, tau, spillover }: Point, part: number, unit: string) => [
  ...[control, treatment].map((mean) => (mean === null ? NOTHING : `${formatValue(mean * part)}${unit}`)),
  effectText(tau),
  effectText(spillover),
];

function rangeText(points: readonly Point[]): string {
  const tested = points.flatMap(({ treated, tau }) => (tau === null ? [] : [{ treated, pct: tau.pct }]));
  const [first] = tested;
  const last = tested.at(-1);
  if (!first || !last) return NOTHING;
  const values = tested.map(({ pct }) => pct);
  const between = `${formatPct(Math.min(...values))} to ${formatPct(Math.max(...values))}`;
  return `${between} (${first.treated} to ${last.treated})`;
}

function lastSpillover(points: readonly Point[]): string {
  const last = points.findLast(({ spillover }) => spillover !== null);
  return last ? `${effectText(last.spillover)}, ${last.treated} treated` : NOTHING;
}
