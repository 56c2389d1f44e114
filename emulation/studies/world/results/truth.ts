import { mean } from '../../../ground/statistics/bootstrap.ts';
import type { LinkRun } from '../link-run.ts';
import { METRICS, type Metric, type SessionRow } from '../session-row.ts';
import { groupBy } from '../../../ground/statistics/grouped.ts';

/** A change in % of the control's mean; null if that mean is 0 or unknown. */
type Share = number | null;
export type Truth = Readonly<Record<Metric, { readonly tte_pct: Share; readonly by_session_pct: Share }>>;

/**
 * The runs that show the true effect of a treatment: each link with all sessions treated and with none, at the same
 * demand.
 */
export const truthRuns = (run: Omit<LinkRun, 'design'>): LinkRun[] => [
  { ...run, design: 'all treated' },
  { ...run, design: 'none treated' },
];

/**
 * The total treatment effect: the mean if all sessions are treated minus the mean if none is, in % of the latter. In
 * `tte_pct`, all hours of all links have the same weight, as in Appendix B of Unbiased Experiments. In
 * `by_session_pct`, all sessions have the same weight.
 */
export function computeTruth(treated: readonly SessionRow[], control: readonly SessionRow[]): Truth {
  const effects = METRICS.map((metric) => {
    const [ofTreated, ofControl] = [groupByHour(treated, metric), groupByHour(control, metric)];
    const both = [...ofTreated.keys()].filter((hour) => ofControl.has(hour));
    const byHour = (cells: Cells) => mean(both.map((hour) => mean(cells.get(hour) ?? [])));
    const bySession = (cells: Cells) => mean([...cells.values()].flat());
    const controlMean = bySession(ofControl);
    const share = (effect: number): Share =>
      controlMean > 0 && Number.isFinite(effect) ? Number(((100 * effect) / controlMean).toFixed(2)) : null;
    const tte_pct = share(byHour(ofTreated) - byHour(ofControl));
    return [metric, { tte_pct, by_session_pct: share(bySession(ofTreated) - controlMean) }];
  });
  return Object.fromEntries(effects) as Truth;
}

/** A metric's values by link and hour. */
type Cells = ReadonlyMap<string, readonly number[]>;

function groupByHour(rows: readonly SessionRow[], metric: Metric): Cells {
  const known = rows.filter(({ metrics }) => metrics[metric] !== null);
  const linkAndHour = ({ cluster, started_at }: SessionRow) =>
    `${cluster} ${started_at.slice(0, '2026-03-02T00'.length)}`;
  return new Map(
    [...groupBy(known, linkAndHour)].map(([hour, own]) => [
      hour,
      own.map(({ metrics }) => metrics[metric] ?? NaN),
    ]),
  );
}
