import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { standaloneSvg } from '../../../emulation/ground/drawing/standalone-svg.ts';
import { figureSection } from '../../../emulation/ground/drawing/figure-section.ts';
import { html, type Markup } from '../../../emulation/ground/drawing/html.ts';
import { readManifest, type Manifest } from '../../../emulation/harness/runs/manifest.ts';
import { flowsPage } from '../report-frame.ts';
import { BUFFER_BDP } from './cell.ts';
import { comparisonCharts, comparisonLooks } from './chart.ts';
import { VIRTUAL_PACKET_BYTES } from '../../packets/simulate-flows.ts';
import { UNITS, comparisons, type Comparison } from './comparison.ts';
import { besideThePaper, byAllocation, chanceSentence, naiveSentence } from './effects-tables.ts';
import { METRICS, effectsOn, type Effects, type Metric } from './estimands.ts';
import { readRuns, type AllocationRun } from './read-runs.ts';
import { runTable } from './run-table.ts';
import { checkAllocationSettings, type AllocationSettings } from './settings.ts';
import { unitRows } from './unit-rows.ts';

/** A comparison with its finished runs. */
interface Compared {
  readonly comparison: Comparison;
  readonly runs: readonly AllocationRun[];
  readonly effects: Readonly<Record<Metric, Effects>>;
  readonly charts: readonly Markup[];
}

/** Writes `summary.json`, `report.html`, `units.csv` and `figures/*.svg` of the finished runs in `outDir`. */
export function writeAllocationReport(outDir: string): void {
  const manifest = readManifest(outDir, checkAllocationSettings);
  const runs = readRuns(outDir, manifest.experiment);
  const compared = compare(runs);
  const summary = {
    ...manifest,
    experiment: manifest.experiment.name,
    link: manifest.experiment,
    findings: Object.fromEntries(
      compared.map(({ comparison: { name, figure, paper }, effects }) => [name, { figure, paper, effects }]),
    ),
    runs: runs.map(({ k, result }) => ({ k, ...result })),
  };
  const pictures = compared.flatMap(({ comparison, charts }) =>
    charts.flatMap((chart, index) => {
      const picture = standaloneSvg(chart, comparisonLooks(comparison));
      const name = `figure-${comparison.figure}-${METRICS[index] ?? index}.svg`;
      return picture === undefined ? [] : [[name, picture] as const];
    }),
  );
  mkdirSync(join(outDir, 'figures'), { recursive: true });
  replaceFiles(join(outDir, 'figures'), Object.fromEntries(pictures));
  replaceFiles(outDir, {
    'summary.json': asJson(summary),
    'report.html': render(manifest, runs, compared),
    'units.csv': unitRows(runs),
  });
}

const compare = (all: readonly AllocationRun[]): Compared[] =>
  comparisons.flatMap((comparison) => {
    const runs = all.filter(({ cell }) => cell.comparison.name === comparison.name);
    if (runs.length === 0) return [];
    const effects = {
      throughput_kbps: effectsOn('throughput_kbps', groupByAllocation(runs), UNITS),
      retransmit_pct: effectsOn('retransmit_pct', groupByAllocation(runs), UNITS),
    };
    return [{ comparison, runs, effects, charts: comparisonCharts(comparison, runs, effects) }];
  });

/** The runs at each allocation. */
const groupByAllocation = (runs: readonly AllocationRun[]) =>
  [...new Set(runs.map(({ cell }) => cell.treated))].map((treated) => ({
    treated,
    runs: runs
      .filter(({ cell }) => cell.treated === treated)
      .map(({ k, result }) => ({ k, units: result.units })),
  }));

function render(
  manifest: Manifest<AllocationSettings>,
  runs: readonly AllocationRun[],
  compared: readonly Compared[],
): string {
  const { form, seconds, from_s, kernel: rules } = manifest.experiment;
  const { drop_at, burst_packets, buffer_bdp = BUFFER_BDP } = manifest.experiment;
  const queue = rules === undefined ? 'the queue of the P4 switch' : 'a queue in virtual time';
  const frame = {
    lead:
      `${UNITS} applications share ${queue}, and some of them are treated: what an A/B test at each allocation says, and ` +
      'what happens when all are.',
    runs: [
      'Runs',
      `${runs.length}, the ${form} form: ${seconds} s each, of which the first ${from_s} s do not count`,
    ],
    link: `, buffer ${buffer_bdp} BDP, dropped at the ${drop_at}; bursts of up to ${burst_packets}`,
    ...(rules !== undefined && {
      packet: `${VIRTUAL_PACKET_BYTES} bytes`,
      kernel: `senders by the rules of Linux ${rules}`,
    }),
  } as const;
  const sections = compared.map((each, index) => section(each, index + 1));
  return flowsPage(manifest, frame, html`${sections} ${runTable(runs)}`);
}

const section = ({ comparison, effects, charts }: Compared, number: number): Markup =>
  html`${figureSection(
      {
        title: comparison.title,
        caption:
          `${naiveSentence(effects.throughput_kbps) ?? ''} Each dot is an application in one run, lines are the means of ` +
          `the arms. In parentheses below: how many of ${UNITS} are treated. Paper: Figure ${comparison.figure}.`,
        charts,
        columns: 2,
        legend: comparisonLooks(comparison),
        source: "TCP's counts of every connection",
      },
      number,
    )}
    ${besideThePaper(comparison, effects)}
    <p>${chanceSentence(effects.throughput_kbps)}</p>
    <details>
      <summary>Each allocation</summary>
      ${byAllocation(effects)}
    </details>`;
