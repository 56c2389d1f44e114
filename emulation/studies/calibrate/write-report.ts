import * as Plot from '@observablehq/plot';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { finishedRuns } from '../../harness/runs/finished-run.ts';
import type { Figure } from '../../ground/drawing/figure.ts';
import { figureSection } from '../../ground/drawing/figure-section.ts';
import { html, type Markup } from '../../ground/drawing/html.ts';
import { plotScales, treatmentLook, type Look } from '../../ground/drawing/palette.ts';
import { svg } from '../../ground/drawing/svg.ts';
import { table } from '../../ground/drawing/table.ts';
import { studyPage } from '../../harness/report/study-page.ts';
import { readManifest, type Manifest } from '../../harness/runs/manifest.ts';
import type { Calibration } from './calibrate-path.ts';
import type { Performances } from './replication-error.ts';
import { aboutPath, checkCalibrationSettings, type CalibrationSettings } from './settings.ts';
import { computeTotals } from './totals.ts';
import { mean } from '../../ground/statistics/bootstrap.ts';

/** Reads the finished calibrations in `outDir`, and writes `summary.json` and `report.html` into the folder. */
export function writeCalibrationReport(outDir: string): void {
  const manifest = readManifest(outDir, checkCalibrationSettings);
  const calibrations = manifest.experiment.paths.flatMap((path) => readCalibrations(outDir, path));
  replaceFiles(outDir, {
    'summary.json': asJson({
      ...manifest,
      experiment: manifest.experiment.name,
      totals: computeTotals(calibrations),
      calibrations,
    }),
    'report.html': page(manifest, calibrations),
  });
}

const readCalibrations = (outDir: string, path: string): Calibration[] =>
  finishedRuns<Calibration>(outDir, path).map(({ result }) => result);

function page(manifest: Manifest<CalibrationSettings>, calibrations: readonly Calibration[]): string {
  const { experiment } = manifest;
  const looks = experiment.schemes.map((scheme, index) => treatmentLook(scheme, index));
  const figure: Figure = {
    title: 'Schemes on the path and in its emulator',
    caption:
      'Filled: the mean of a scheme on the path; hollow: in the emulator that replicates all of them best, of five parameters. Paper: Figure 3.3.',
    charts: calibrations.map((each) => pathChart(each, looks)),
    columns: 2,
    legend: looks,
    source: 'result.json of each run.',
  };
  return studyPage(
    manifest,
    {
      lead: 'How well an emulator of five parameters stands for a path that has more: hidden paths in virtual time.',
      facts: [
        ['Schemes', experiment.schemes.join(', ')],
        ['Trials', String(experiment.trials)],
      ],
    },
    html`${totalsTable(calibrations)} ${figureSection(figure, 1)} ${errorsTable(calibrations)}
    ${ablationTable(calibrations)}`,
  );
}

const pct = (value: number | null | undefined): string => (value == null ? '' : value.toFixed(1));

function totalsTable(calibrations: readonly Calibration[]): Markup {
  const { error_pct, leftOut_pct, repeatability_pct } = computeTotals(calibrations);
  const row = (what: string, value: readonly number[] | null, paper: string): string[] => [
    what,
    value === null ? '' : `${pct(value[0])} (${pct(value[1])} to ${pct(value[2])})`,
    paper,
  ];
  return html`<h2>All paths</h2>
    ${table(
      ['mean over paths (95% interval over paths)', 'error (%)', 'paper (%)'],
      [
        row('replication error', error_pct, '17'),
        row('of the scheme left out', leftOut_pct, '20'),
        row('repeatability of the paths', repeatability_pct, ''),
      ],
    )}`;
}

const errorsTable = (calibrations: readonly Calibration[]): Markup =>
  html`<h2>Errors</h2>
    ${table(
      [
        'path',
        'what it has',
        'emulator',
        'error (%)',
        'constant',
        'Poisson',
        'left out',
        'repeatability',
        'longer search',
        'with jitter',
        'by scheme: throughput / delay (%)',
      ],
      calibrations.map(({ path, chosen, constant, poisson, leftOut, repeatability_pct, jitter }) => {
        const { service, mbps, delay_ms, queue_bytes, loss } = chosen.emulator;
        const left = Object.values(leftOut).map(({ error_pct }) => error_pct);
        return [
          path,
          aboutPath(path),
          `${service}, ${mbps.toFixed(2)} Mbit/s, ${delay_ms.toFixed(1)} ms, ${(queue_bytes / 1000).toFixed(0)} kB, ${(100 * loss).toFixed(3)}%`,
          pct(chosen.error_pct),
          pct(constant.error_pct),
          pct(poisson.error_pct),
          left.length > 0 ? pct(mean(left)) : '',
          pct(repeatability_pct),
          pct(jitter?.longer.error_pct),
          pct(jitter?.jittered.error_pct),
          Object.entries(chosen.errors)
            .map(
              ([scheme, { throughput_pct, delay_pct }]) =>
                `${scheme} ${pct(throughput_pct)} / ${pct(delay_pct)}`,
            )
            .join(', '),
        ];
      }),
    )}`;

function ablationTable(calibrations: readonly Calibration[]): Markup | undefined {
  const ablated = calibrations.filter(({ ablation }) => ablation.length > 0);
  const [first] = ablated;
  if (!first) return undefined;
  return html`<h2>Parameter after parameter (constant service, error in %)</h2>
    ${table(
      ['path', ...first.ablation.map(({ parameters }) => parameters.join(', '))],
      ablated.map(({ path, ablation }) => [path, ...ablation.map(({ error_pct }) => pct(error_pct))]),
    )}`;
}

const points = (performances: Performances) =>
  Object.entries(performances).map(([scheme, own]) => ({ scheme, ...own }));

function pathChart(
  { path, measureHiddenPath: measured, chosen }: Calibration,
  looks: readonly Look[],
): Markup {
  const [real, other] = [points(measured), points(chosen.performances)];
  const lines = real.map((from) => {
    const to = chosen.performances[from.scheme] ?? from;
    return { ...from, to_mbps: to.throughput_mbps, to_ms: to.delay_p95_ms };
  });
  return svg(`schemes on the path ${path} and in its emulator`, {
    ...{ width: 530, height: 320, marginLeft: 50, marginTop: 34, marginBottom: 44, marginRight: 20 },
    x: {
      ...{ type: 'log', reverse: true, label: '95th-percentile one-way delay (ms)', grid: true, nice: true },
      ...{ labelAnchor: 'center', tickFormat: '~s' },
    },
    y: { label: `${path}: throughput (Mbit/s)`, grid: true, nice: true },
    ...plotScales(looks),
    marks: [
      Plot.link(lines, {
        ...{ x1: 'delay_p95_ms', y1: 'throughput_mbps', x2: 'to_ms', y2: 'to_mbps' },
        ...{ stroke: 'scheme', strokeOpacity: 0.5 },
      }),
      Plot.dot(real, { x: 'delay_p95_ms', y: 'throughput_mbps', fill: 'scheme', symbol: 'scheme', r: 5 }),
      Plot.dot(other, {
        ...{ x: 'delay_p95_ms', y: 'throughput_mbps', stroke: 'scheme', symbol: 'scheme', r: 5 },
        ...{ fill: 'var(--page)', strokeWidth: 2 },
      }),
    ],
  });
}
