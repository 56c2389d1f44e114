import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import { LINKS } from '../designs.ts';
import type { WorldExperiment } from '../experiment.ts';
import { parquetOf } from './parquet-of.ts';
import type { LinkRun } from '../link-run.ts';
import { csvOf, METRICS, type Metric, type SessionRow } from '../session-row.ts';
import { truthOf, type Truth } from './truth.ts';
import type { FORMATS } from '../world-options.ts';

/** How the sessions are written. */
interface Written {
  readonly format: (typeof FORMATS)[number];
  readonly metrics: readonly Metric[];
}

const WRITERS = { csv: csvOf, parquet: parquetOf } as const;

/** Writes `sessions.csv` or `sessions.parquet`, and `truth.json`; `rows` are those of `runsOf`, in order. */
export function writeExperiment(
  outDir: string,
  planned: WorldExperiment,
  rows: readonly (readonly SessionRow[])[],
  { format, metrics }: Written,
): void {
  const { baseline, own } = planned;
  const found = signsIn(planned, rows);
  replaceFiles(outDir, {
    [`sessions.${format}`]: WRITERS[format](rows.slice(0, baseline.length + own.length).flat(), metrics),
    ...(found && { 'truth.json': asJson(found.truth) }),
  });
}

/** What a test says of it, and what is true; nothing where nobody is treated. */
export function experimentLines(
  planned: WorldExperiment,
  rows: readonly (readonly SessionRow[])[],
): string[] {
  const found = signsIn(planned, rows);
  return found ? [tableOf(found)] : [];
}

function signsIn(
  { baseline, own, truths }: WorldExperiment,
  rows: readonly (readonly SessionRow[])[],
): Signs | undefined {
  if (truths.length === 0) return undefined;
  const begins = baseline.length;
  const truthRows = rows.slice(begins + own.length);
  const of = (name: LinkRun['design']) =>
    truthRows.filter((_, index) => truths[index]?.design === name).flat();
  return signsOf(rows.slice(begins, begins + own.length).flat(), of('all treated'), of('none treated'));
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
