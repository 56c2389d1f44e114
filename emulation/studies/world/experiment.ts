import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { patienceLine } from './asked-world.ts';
import { DESIGNS, LINKS, type DesignName } from './designs.ts';
import { FORMATS, USUAL, type Written } from './files/written.ts';
import { BASELINE, type LinkRun } from './link-run.ts';
import { METRICS, type SessionRow } from './session-row.ts';
import { truthOf, truthRuns, type Truth } from './truth.ts';

export interface WorldExperiment {
  /** The days before it on its links. */
  readonly baseline: readonly LinkRun[];
  readonly own: readonly LinkRun[];
  /** The links that tell the truth: none where nobody is treated. */
  readonly truths: readonly LinkRun[];
}

interface Beside {
  readonly baselineDays?: number;
  readonly truthLinks?: readonly LinkRun['link'][];
}

export function worldExperiment(
  all: Omit<LinkRun, 'link' | 'design'>,
  design: DesignName,
  { baselineDays = 0, truthLinks = LINKS }: Beside = {},
): WorldExperiment {
  const { links } = DESIGNS[design];
  const before = { ...all, days: baselineDays, design: BASELINE } as const;
  return {
    baseline: baselineDays > 0 ? links.map((link) => ({ ...before, link })) : [],
    own: links.map((link) => ({ ...all, link, design })),
    truths: design === 'aa' ? [] : truthLinks.flatMap((link) => truthRuns({ ...all, link })),
  };
}

/** All links, in the order in which `writeExperiment` wants their rows. */
export const runsOf = ({ baseline, own, truths }: WorldExperiment): LinkRun[] => [
  ...baseline,
  ...own,
  ...truths,
];

/** Writes `sessions.csv` or `sessions.parquet`, `truth.json` and `world.json`; `rows` are those of `runsOf`, in order. */
export function writeExperiment(
  outDir: string,
  { baseline, own, truths }: WorldExperiment,
  rows: readonly (readonly SessionRow[])[],
  settings: object,
  { format, metrics }: Written = USUAL,
): void {
  const begins = baseline.length;
  const baselineRows = rows.slice(0, begins).flat();
  const ownRows = rows.slice(begins, begins + own.length).flat();
  const truthRows = rows.slice(begins + own.length);
  const of = (name: LinkRun['design']) =>
    truthRows.filter((_, index) => truths[index]?.design === name).flat();
  const found = truths.length > 0 ? signsOf(ownRows, of('all treated'), of('none treated')) : undefined;
  const sessions = `sessions.${format}`;
  replaceFiles(outDir, {
    [sessions]: FORMATS[format]([...baselineRows, ...ownRows], metrics),
    ...(found && { 'truth.json': asJson(found.truth) }),
    'world.json': asJson(settings),
  });
  // Of an earlier world, beside these.
  rmSync(join(outDir, `sessions.${format === 'csv' ? 'parquet' : 'csv'}`), { force: true });
  const [run] = own;
  if (found && run) console.log([patienceLine(run.world), tableOf(found)].join('\n'));
  console.log(`npm run experiment -- analyze ${join(outDir, sessions)}`);
}

/** What a test on the mostly treated link says, what its untreated had of the treated, and what is true of all links. */
interface Signs {
  readonly test: Truth;
  readonly spillover: Truth;
  readonly truth: Truth;
}

function signsOf(own: readonly SessionRow[], all: readonly SessionRow[], none: readonly SessionRow[]): Signs {
  const [mostly] = LINKS;
  const on = (arm: string) => own.filter((row) => row.cluster === mostly && row.arm === arm);
  const untreated = on('control');
  const same = new Set(untreated.map(({ session_id }) => session_id));
  return {
    test: truthOf(on('treatment'), untreated),
    spillover: truthOf(
      untreated,
      none.filter(({ session_id }) => same.has(session_id)),
    ),
    truth: truthOf(all, none),
  };
}

function tableOf({ test, spillover, truth }: Signs): string {
  const cell = (share: number | null) => (share === null ? '-' : `${share.toFixed(1)}%`).padStart(16);
  const lines = METRICS.map((name) =>
    [name.padEnd(24), ...[test, spillover, truth].map((each) => cell(each[name].tte_pct))].join(''),
  );
  const heads = ['A/B test', 'untreated', 'truth'].map((head) => head.padStart(16)).join('');
  return [
    'treated beside untreated of one link; its untreated beside the same sessions where nobody is treated; all beside none:',
    `${' '.repeat(24)}${heads}`,
    ...lines,
  ].join('\n');
}
