import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import { LINKS } from '../designs.ts';
import type { WorldExperiment } from '../experiment.ts';
import { toParquet } from './to-parquet.ts';
import type { LinkRun } from '../link-run.ts';
import { toCsv, METRICS, type Metric, type SessionRow } from '../session-row.ts';
import { computeTruth, type Truth } from './truth.ts';
import type { FORMATS } from '../world-options.ts';

interface OutputFormat {
  readonly format: (typeof FORMATS)[number];
  readonly metrics: readonly Metric[];
}

const WRITERS = { csv: toCsv, parquet: toParquet } as const;

/**
 * Writes `sessions.csv` or `sessions.parquet`, and `truth.json`. `rows` has the rows of each of `experimentRuns`, in
 * the same order.
 */
export function writeExperiment(
  outDir: string,
  planned: WorldExperiment,
  rows: readonly (readonly SessionRow[])[],
  { format, metrics }: OutputFormat,
): void {
  const { baseline, own } = planned;
  const found = effectsOfRows(planned, rows);
  replaceFiles(outDir, {
    [`sessions.${format}`]: WRITERS[format](rows.slice(0, baseline.length + own.length).flat(), metrics),
    ...(found && { 'truth.json': asJson(found.truth) }),
  });
}

/** Formats a table with the result of the A/B test on one link and with the true effect; empty if nobody is treated. */
export function experimentLines(
  planned: WorldExperiment,
  rows: readonly (readonly SessionRow[])[],
): string[] {
  const found = effectsOfRows(planned, rows);
  return found ? [effectsTable(found)] : [];
}

function effectsOfRows(
  { baseline, own, truths }: WorldExperiment,
  rows: readonly (readonly SessionRow[])[],
): Effects | undefined {
  if (truths.length === 0) return undefined;
  const begins = baseline.length;
  const truthRows = rows.slice(begins + own.length);
  const of = (name: LinkRun['design']) =>
    truthRows.filter((_, index) => truths[index]?.design === name).flat();
  return computeEffects(
    rows.slice(begins, begins + own.length).flat(),
    of('all treated'),
    of('none treated'),
  );
}

/**
 * The result of the A/B test on the mostly treated link, the effect of its treated sessions on its untreated ones, and
 * the true effect over all links.
 */
interface Effects {
  readonly test: Truth;
  readonly spillover: Truth;
  readonly truth: Truth;
}

function computeEffects(
  own: readonly SessionRow[],
  all: readonly SessionRow[],
  none: readonly SessionRow[],
): Effects {
  const [mostly] = LINKS;
  const on = (arm: string) => own.filter((row) => row.cluster === mostly && row.arm === arm);
  const untreated = on('control');
  const same = new Set(untreated.map(({ session_id }) => session_id));
  return {
    test: computeTruth(on('treatment'), untreated),
    spillover: computeTruth(
      untreated,
      none.filter(({ session_id }) => same.has(session_id)),
    ),
    truth: computeTruth(all, none),
  };
}

function effectsTable({ test, spillover, truth }: Effects): string {
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
