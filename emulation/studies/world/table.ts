import { asJson } from '../../../system/replace-files.ts';
import type { World } from './demand.ts';
import { DESIGNS, LINKS, type DesignName } from './designs.ts';
import { BASELINE, type LinkRun } from './link-run.ts';
import { toCsv, type SessionRow } from './session-row.ts';
import type { Treatment } from './treatments.ts';
import { computeTruth, truthRuns, type Truth } from './results/truth.ts';

/**
 * The designs in a table, for each treatment. A table over TCP has no switchback, because sessions last longer than the
 * switchback's wash-out.
 */
const TABLE_DESIGNS = ['paired', 'ab', 'switchback-hours'] as const satisfies readonly DesignName[];
const TCP_TABLE_DESIGNS = ['paired', 'ab'] as const satisfies readonly DesignName[];

export const tableDesigns = (overTcp: boolean): readonly DesignName[] =>
  overTcp ? TCP_TABLE_DESIGNS : TABLE_DESIGNS;

/** A table of every design in one world, seed by seed. */
export interface Table {
  readonly world: World;
  readonly days: number;
  readonly treatments: readonly Treatment[];
  /** The table's designs, a subset of `tableDesigns`. */
  readonly designs: readonly DesignName[];
  /** The number of days before the experiment on the paired links in which nobody is treated. */
  readonly baselineDays: number;
}

/** A treatment's entry in the `truth.json` of a seed: effects that no experiment could measure. */
interface TreatmentTruth {
  readonly tte: Truth;
  /**
   * The difference between the untreated sessions of the mostly treated link and the same sessions if nobody had been
   * treated.
   */
  readonly spillover: Truth;
}

/** Lists the runs of links for a seed. */
export function tableRuns(table: Table, seed: number): LinkRun[] {
  const { world, days, treatments, designs, baselineDays } = table;
  const everybody = LINKS.flatMap((link) => {
    const run = { world, days, seed, link };
    const [, none] = truthRuns({ ...run, treatment: 'none' });
    const all = treatments.flatMap((treatment) => truthRuns({ ...run, treatment }).slice(0, 1));
    return none ? [none, ...all] : all;
  });
  const experiments = treatments.flatMap((treatment) =>
    designs.flatMap((design) =>
      DESIGNS[design].links.map((link): LinkRun => ({ world, days, seed, link, treatment, design })),
    ),
  );
  // Nobody is treated in these runs, so the treatment does not matter.
  const before = { world, days: baselineDays, seed, treatment: 'none', design: BASELINE } as const;
  const baseline = baselineDays > 0 ? LINKS.map((link): LinkRun => ({ ...before, link })) : [];
  return [...everybody, ...baseline, ...experiments];
}

/**
 * The files of a seed: `TREATMENT-DESIGN.csv`, `truth.json`, and `none-aa.csv`, the sessions of both links when nobody
 * is treated, which are the baseline of the truth. `rows` has the rows of each of `runs`, in the same order.
 */
export function tableFiles(
  table: Table,
  runs: readonly LinkRun[],
  rows: readonly (readonly SessionRow[])[],
): Record<string, string> {
  const rowsWhere = (is: (run: LinkRun) => boolean) =>
    runs.flatMap((run, index) => (is(run) ? (rows[index] ?? []) : []));
  const untreated = rowsWhere(({ design }) => design === 'none treated');
  const baseline = rowsWhere(({ design }) => design === BASELINE);
  const files: Record<string, string> = { 'none-aa.csv': toCsv(untreated) };
  const truths: Partial<Record<Treatment, TreatmentTruth>> = {};
  for (const treatment of table.treatments) {
    const of = (design: LinkRun['design']) =>
      rowsWhere((run) => run.treatment === treatment && run.design === design);
    for (const design of table.designs)
      files[`${treatment}-${design}.csv`] = toCsv([...(design === 'paired' ? baseline : []), ...of(design)]);
    const [mostly] = LINKS;
    const onMostly = (rows: readonly SessionRow[]) =>
      rows.filter(({ cluster, arm }) => cluster === mostly && arm === 'control');
    truths[treatment] = {
      tte: computeTruth(of('all treated'), untreated),
      spillover: computeTruth(onMostly(of('paired')), onMostly(untreated)),
    };
  }
  return { ...files, 'truth.json': asJson(truths) };
}
