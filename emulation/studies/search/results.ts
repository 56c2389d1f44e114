import { checkAnySettings, readManifest } from '../../harness/runs/manifest.ts';
import { standaloneSvg } from '../../ground/drawing/standalone-svg.ts';
import { document } from '../../ground/drawing/document.ts';
import { formatHundredths, formatPct } from '../../ground/drawing/format.ts';
import { html, type Markup } from '../../ground/drawing/html.ts';
import { table } from '../../ground/drawing/table.ts';
import { MARGINS } from '../../player/records/margins.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { CLEARLY, type Difference } from './judge.ts';
import type { Objectives } from './outcome.ts';
import { paretoChart, paretoLegend } from './pareto-chart.ts';
import { readSearchResult, type Confirmed, type SearchResult } from './records.ts';
import type { SearchSettings } from './settings.ts';
import { describePoint } from './space.ts';
import { SPLIT, splitByRank } from './split.ts';

interface Made extends SearchSettings {
  readonly command: string;
  readonly seed: number;
}

/** The name of the file with the chosen arms, for `--arms BASE@FILE`. */
const ARMS = 'arms.json';

function read(outDir: string): { readonly found: SearchResult; readonly made: Made } {
  const checked = (value: unknown) => checkAnySettings(value) as SearchSettings;
  const { experiment, command, seed } = readManifest(outDir, checked);
  return { found: readSearchResult(outDir, experiment.runs), made: { ...experiment, command, seed } };
}

/** Writes `search.json`, `arms.json`, `pareto.svg` and `report.html`. */
export function reportSearch(outDir: string): void {
  const { found, made } = read(outDir);
  const { trials, front, confirmed } = found;
  const { runs, seconds, seed, command, traces: path } = made;
  const [training, heldOut] = splitByRank(made.names.map((name) => ({ name })));
  const chart = paretoChart(found);
  const picture = chart && standaloneSvg(chart, paretoLegend(found));
  replaceFiles(outDir, {
    'search.json': asJson({
      ...{ trials: runs, seconds, seed, command, path },
      split: {
        about: SPLIT,
        training: training.map(({ name }) => name),
        held_out: heldOut.map(({ name }) => name),
      },
      margins: { ...MARGINS, clearly: CLEARLY },
      trials,
      front: front.map(({ trial }) => trial),
      confirmed,
    }),
    ...(confirmed.length > 0 && { [ARMS]: asJson({ arms: confirmed.map(({ arm }) => arm) }) }),
    ...(picture !== undefined && { 'pareto.svg': picture }),
    'report.html': page(found, made, chart),
  });
}

export function searchLines(outDir: string): string[] {
  const { trials, front, confirmed } = read(outDir).found;
  return [
    `${trials.length} trials, ${front.length} of them on the front`,
    ...confirmed.map(
      ({ arm, point, training, heldOut, judged }) =>
        `${arm.name}: ${describePoint(point)}\n` +
        `  training ${objectivesText(training)}\n` +
        `  held out ${objectivesText(heldOut)}; against the default ${judged.verdict}`,
    ),
    `${outDir}/report.html`,
  ];
}

const objectivesText = ({ throughput_pct, stall_points, ssim_db }: Objectives): string =>
  `chunk throughput ${formatPct(throughput_pct)}, stalls ${formatHundredths(stall_points)} points, SSIM ${formatHundredths(ssim_db)} dB`;

const page = (found: SearchResult, made: Made, chart: Markup | undefined): string =>
  document(
    'search',
    html`<header>
        <p class="kicker">dashjs-sammy lab · Sammy Figure 5</p>
        <h1>Search for constants</h1>
        <p class="lead">
          ${found.trials.length} of ${made.runs} trials in virtual time, each on
          ${splitByRank(made.names.map((name) => ({ name })))[0].length} traces of
          ${made.traces ?? 'mahimahi'}, ${made.seconds} s a session, seed ${made.seed}.
        </p>
        <p class="note">
          <code>${made.command}</code>. ${SPLIT} All changes are against the plug-in without a pace (arm
          initial-only) on the same trace: means over the traces. Optuna's TPE proposes the points.
        </p>
      </header>
      ${
        chart &&
        html`<section>
          <h2>Quality against chunk throughput</h2>
          <figure>${chart}</figure>
          <p class="note">
            Each dot is a trial on the training half; those of the front are dark. Hollow: worse than unpaced
            by more than ${100 * MARGINS.rebuffer_ratio} points of stall.
          </p>
        </section>`
      }
      ${confirmedTable(found.confirmed)} ${frontTable(found)}`,
  );

const objectiveCells = ({ throughput_pct, stall_points, ssim_db }: Objectives): string[] => [
  formatPct(throughput_pct),
  formatHundredths(stall_points),
  formatHundredths(ssim_db),
];

const withInterval = ({ mean, ci95 }: Difference, format: (value: number) => string): Markup =>
  html`<b>${format(mean)}</b
    ><span class="ci">${ci95 ? `${format(ci95[0])} to ${format(ci95[1])}` : undefined}</span>`;

function confirmedTable(confirmed: readonly Confirmed[]): Markup | undefined {
  if (confirmed.length === 0) return undefined;
  const of = (half: string) => [`throughput, ${half}`, `stalls, points, ${half}`, `SSIM, dB, ${half}`];
  return html`<section>
    <h2>On both halves</h2>
    <p class="note">
      Better than the default is a point that is better by more than ${CLEARLY.throughput_pct}% of chunk
      throughput, ${CLEARLY.stall_points} points of stall or ${CLEARLY.ssim_db} dB, and in none of the others
      worse by more than that, each by the whole 95% interval over the held-out traces (typical values,
      Hartigan 1969). The margins were stated before. The arms are in ${ARMS}:
      <code>npm run lab -- run traces --arms dashjs,initial-only,sammy-paper@FILE</code>
      confirms them in the lab.
    </p>
    ${table(
      [
        'arm',
        'constants',
        ...of('training'),
        ...of('held out'),
        ...of('held out, against the default'),
        'verdict',
      ],
      confirmed.map(({ arm, point, training, heldOut, judged }) => [
        arm.name,
        describePoint(point),
        ...objectiveCells(training),
        ...objectiveCells(heldOut),
        withInterval(judged.throughput_pct, formatPct),
        withInterval(judged.stall_points, formatHundredths),
        withInterval(judged.ssim_db, formatHundredths),
        judged.verdict,
      ]),
    )}
  </section>`;
}

const frontTable = ({ front }: SearchResult): Markup | undefined =>
  front.length === 0
    ? undefined
    : html`<section>
        <h2>The front</h2>
        <p class="note">
          The trials that no other is better than in all three objectives, on the training half.
        </p>
        ${table(
          ['trial', 'constants', 'chunk throughput', 'stalls, points', 'SSIM, dB'],
          front
            .toSorted((a, b) => a.objectives.throughput_pct - b.objectives.throughput_pct)
            .map(({ trial, point, objectives }) => [
              String(trial),
              describePoint(point),
              ...objectiveCells(objectives),
            ]),
        )}
      </section>`;
