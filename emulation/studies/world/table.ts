import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import type { World } from './demand.ts';
import { DESIGNS, LINKS, type DesignName } from './designs.ts';
import { BASELINE, type LinkRun } from './link-run.ts';
import { csvOf, type SessionRow } from './session-row.ts';
import type { Treatment } from './treatments.ts';
import { truthOf, truthRuns, type Truth } from './truth.ts';

/** What a table has of each treatment beside the truth. */
export const TABLE_DESIGNS = ['paired', 'ab', 'switchback-hours'] as const satisfies readonly DesignName[];
type TableDesign = (typeof TABLE_DESIGNS)[number];

/** Plays the links of a seed; the rows are in the order of the runs. */
export type PlayLinks = (
  runs: readonly LinkRun[],
  seed: number,
) => Promise<readonly (readonly SessionRow[])[]>;

export interface Table {
  readonly world: World;
  readonly days: number;
  /** The first of them, and how many. */
  readonly seed: number;
  readonly runs: number;
  readonly treatments: readonly Treatment[];
  /** All of `TABLE_DESIGNS` when not given. */
  readonly designs?: readonly TableDesign[];
  /** Days before the paired links' experiment in which nobody is treated; 0 when not given. */
  readonly baselineDays?: number;
  /** What else distinguishes this world from others. */
  readonly settings?: object;
}

/** What a seed's folder tells of a treatment that no experiment can. */
interface TreatmentTruth {
  readonly tte: Truth;
  /** The untreated of the mostly treated link, and how they would have been had nobody been treated. */
  readonly spillover: Truth;
}

/**
 * Every design on one world after the other, a folder for each seed: `TREATMENT-DESIGN.csv`, `truth.json`, and the
 * untreated sessions of both links as `none-aa.csv`, which are what the truth is compared with. Seeds that are there
 * already are kept. Returns how many link-days it has run.
 */
export async function makeTable(
  table: Table,
  outDir: string,
  play: PlayLinks,
  done: (seed: number) => void,
): Promise<number> {
  keepSettings(outDir, table);
  let linkDays = 0;
  for (let seed = table.seed; seed < table.seed + table.runs; seed++) {
    const folder = join(outDir, `${seed}`);
    if (existsSync(join(folder, 'truth.json'))) continue;
    const runs = runsOf(table, seed);
    const results = await play(runs, seed);
    mkdirSync(folder, { recursive: true });
    replaceFiles(
      folder,
      filesOf(table, (is) => results.filter((_, index) => is(runs[index])).flat()),
    );
    linkDays += runs.reduce((sum, run) => sum + run.days, 0);
    done(seed);
  }
  return linkDays;
}

function runsOf(table: Table, seed: number): LinkRun[] {
  const { world, days, treatments, designs = TABLE_DESIGNS, baselineDays = 0 } = table;
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
  // Nobody is treated in them, whatever the treatment is.
  const before = { world, days: baselineDays, seed, treatment: 'none', design: BASELINE } as const;
  const baseline = baselineDays > 0 ? LINKS.map((link): LinkRun => ({ ...before, link })) : [];
  return [...everybody, ...baseline, ...experiments];
}

type RowsOf = (is: (run: LinkRun | undefined) => boolean) => SessionRow[];

function filesOf({ treatments, designs = TABLE_DESIGNS }: Table, rowsOf: RowsOf): Record<string, string> {
  const untreated = rowsOf((run) => run?.design === 'none treated');
  const baseline = rowsOf((run) => run?.design === BASELINE);
  const files: Record<string, string> = { 'none-aa.csv': csvOf(untreated) };
  const truths: Partial<Record<Treatment, TreatmentTruth>> = {};
  for (const treatment of treatments) {
    const of = (design: LinkRun['design']) =>
      rowsOf((run) => run?.treatment === treatment && run.design === design);
    for (const design of designs)
      files[`${treatment}-${design}.csv`] = csvOf([...(design === 'paired' ? baseline : []), ...of(design)]);
    const [mostly] = LINKS;
    const onMostly = (rows: readonly SessionRow[]) =>
      rows.filter(({ cluster, arm }) => cluster === mostly && arm === 'control');
    truths[treatment] = {
      tte: truthOf(of('all treated'), untreated),
      spillover: truthOf(onMostly(of('paired')), onMostly(untreated)),
    };
  }
  return { ...files, 'truth.json': asJson(truths) };
}

/** The design of `all` that `--design` names. Throws an Error if a table has no such design. */
export function tableDesign<Of extends TableDesign>(design: DesignName, all: readonly Of[]): Of {
  const asked = all.find((each) => each === design);
  if (asked === undefined)
    throw new Error(`world: --table has the designs ${all.join(', ')}, and not ${design}`);
  return asked;
}

/** Throws an Error if the folder's seeds are of another world. */
function keepSettings(outDir: string, table: Table): void {
  const { world, days, treatments, designs, baselineDays = 0, settings } = table;
  const file = join(outDir, 'world.json');
  // Only what is not usual, so that folders of before there was a choice can be continued.
  const one = designs?.length === 1 && { designs };
  const baseline = baselineDays > 0 && { baseline_days: baselineDays };
  const all = asJson({ world, days, treatments, ...one, ...baseline, ...settings });
  mkdirSync(outDir, { recursive: true });
  if (existsSync(file) && readFileSync(file, 'utf8') !== all)
    throw new Error(`${file} is of another world, number of days or treatment; choose another --out`);
  replaceFiles(outDir, { 'world.json': all });
}
