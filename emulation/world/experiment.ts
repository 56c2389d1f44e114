import { join } from 'node:path';
import { asJson, replaceFiles } from '../../system/replace-files.ts';
import { patienceLine } from './asked-world.ts';
import { DESIGNS, LINKS, type DesignName } from './designs.ts';
import type { LinkRun } from './link-run.ts';
import { csvOf, METRICS, type SessionRow } from './session-row.ts';
import { truthOf, truthRuns, type Truth } from './truth.ts';

/** An experiment's links, and those that tell the truth about them: none where nobody is treated. */
export interface WorldExperiment {
  readonly own: readonly LinkRun[];
  readonly truths: readonly LinkRun[];
}

export function worldExperiment(
  all: Omit<LinkRun, 'link' | 'design'>,
  design: DesignName,
  truthLinks: readonly LinkRun['link'][] = LINKS,
): WorldExperiment {
  return {
    own: DESIGNS[design].links.map((link) => ({ ...all, link, design })),
    truths: design === 'aa' ? [] : truthLinks.flatMap((link) => truthRuns({ ...all, link })),
  };
}

/** Writes `sessions.csv`, `truth.json` and `world.json`; `rows` are those of `own` and of `truths`, in order. */
export function writeExperiment(
  outDir: string,
  { own, truths }: WorldExperiment,
  rows: readonly (readonly SessionRow[])[],
  settings: object,
): void {
  const ownRows = rows.slice(0, own.length).flat();
  const truthRows = rows.slice(own.length);
  const of = (name: LinkRun['design']) =>
    truthRows.filter((_, index) => truths[index]?.design === name).flat();
  const found = truths.length > 0 ? signsOf(ownRows, of('all treated'), of('none treated')) : undefined;
  replaceFiles(outDir, {
    'sessions.csv': csvOf(ownRows),
    ...(found && { 'truth.json': asJson(found.truth) }),
    'world.json': asJson(settings),
  });
  const [run] = own;
  if (found && run) console.log([patienceLine(run.world), tableOf(found)].join('\n'));
  console.log(`npm run experiment -- analyze ${join(outDir, 'sessions.csv')}`);
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
