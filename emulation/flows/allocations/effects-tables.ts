import { formatPct, formatValue } from '../../report/page/format.ts';
import { html, type Markup } from '../../report/page/html.ts';
import { UNITS, type Comparison, type PaperFindings } from './comparison.ts';
import { METRICS, type Effects, type Metric, type Point } from './estimands.ts';

type AllEffects = Readonly<Record<Metric, Effects>>;

const NOTHING = '–';
const percent = (value: number | null): string => (value === null ? NOTHING : formatPct(value));

/** What the paper says beside what came out here. */
export const besideThePaper = ({ paper }: Comparison, effects: AllEffects): Markup => {
  const rows: readonly (readonly [string, keyof PaperFindings, (effects: Effects) => string])[] = [
    ['τ(p): an A/B test, over the control beside it', 'tau', ({ points }) => rangeOf(points)],
    ['TTE: deployed to all', 'tte', ({ tte_pct }) => percent(tte_pct)],
    ['s(p): spillover on the last of the control', 'spillover', ({ points }) => lastSpillover(points)],
  ];
  return tableOf(
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

/** The means of both arms and what each allocation's test says. */
export const byAllocation = (effects: AllEffects): Markup =>
  tableOf(
    ['treated', ...METRICS.flatMap(() => ['control', 'treatment', 'τ', 's'])],
    effects.throughput_kbps.points.map((point, index) => [
      String(point.treated),
      ...cellsOf(point, 1 / 1000, ' Mbit/s'),
      ...cellsOf(effects.retransmit_pct.points[index] ?? point, 1, '%'),
    ]),
  );

/** `An A/B test with 1 of 10 treated says +98% of throughput; deployed to all, it is +0.4%.` */
export function naiveSentence({ points, tte_pct }: Effects): string | undefined {
  const test = points.find(({ tau_pct }) => tau_pct !== null);
  if (!test || tte_pct === null) return undefined;
  return (
    `An A/B test with ${test.treated} of ${UNITS} treated says ${percent(test.tau_pct)} of throughput; ` +
    `deployed to all, the change is ${formatPct(tte_pct)}.`
  );
}

const cellsOf = ({ control, treatment, tau_pct, spillover_pct }: Point, part: number, unit: string) => [
  ...[control, treatment].map((mean) => (mean === null ? NOTHING : `${formatValue(mean * part)}${unit}`)),
  percent(tau_pct),
  percent(spillover_pct),
];

function rangeOf(points: readonly Point[]): string {
  const tested = points.flatMap(({ treated, tau_pct }) => (tau_pct === null ? [] : [{ treated, tau_pct }]));
  const [first] = tested;
  const last = tested.at(-1);
  if (!first || !last) return NOTHING;
  const values = tested.map(({ tau_pct }) => tau_pct);
  const between = `${formatPct(Math.min(...values))} to ${formatPct(Math.max(...values))}`;
  return `${between} (${first.treated} to ${last.treated})`;
}

function lastSpillover(points: readonly Point[]): string {
  const last = points.findLast(({ spillover_pct }) => spillover_pct !== null);
  return last ? `${percent(last.spillover_pct)} (${last.treated})` : NOTHING;
}

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): Markup =>
  html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${head.map((each) => html`<th>${each}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((each) => html`<td>${each}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
