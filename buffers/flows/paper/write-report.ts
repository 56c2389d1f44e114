import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { figureSection } from '../../../emulation/ground/drawing/figure-section.ts';
import { html, type Markup } from '../../../emulation/ground/drawing/html.ts';
import { table } from '../../../emulation/ground/drawing/table.ts';
import { readManifest, type Manifest } from '../../../emulation/harness/runs/manifest.ts';
import { flowsPage } from '../report-frame.ts';
import type { CellRun, Findings } from '../figures/figure.ts';
import { drawFigures, type Drawn } from './draw-figures.ts';
import { figurePictures } from './pictures.ts';
import { readRuns } from './read-runs.ts';
import { runTable } from './run-table.ts';
import { checkPaperSettings, type PaperSettings } from './settings.ts';
import { makeTargets, type Target } from './targets.ts';

/** Writes `summary.json`, `report.html` and `figures/*.svg` of the finished runs in `outDir`. */
export function writePaperReport(outDir: string): void {
  const manifest = readManifest(outDir, checkPaperSettings);
  const runs = readRuns(outDir, manifest.experiment);
  const drawn = drawFigures(runs, manifest.experiment);
  const targets = makeTargets(runs, manifest.experiment);
  const summary = {
    ...manifest,
    experiment: manifest.experiment.name,
    link: manifest.experiment,
    targets,
    findings: Object.fromEntries(drawn.map(({ number, findings }) => [`figure_${number}`, findings])),
    runs: runs.map(({ name, k, buffer_packets, result: { depths: _, flows, ...result } }) => ({
      name,
      k,
      buffer_packets,
      ...result,
      flows: flows.map(({ windows: __, ...flow }) => flow),
    })),
  };
  mkdirSync(join(outDir, 'figures'), { recursive: true });
  for (const each of drawn) replaceFiles(join(outDir, 'figures'), figurePictures(each));
  replaceFiles(outDir, {
    'summary.json': asJson(summary),
    'report.html': render(manifest, runs, drawn, targets),
  });
}

function render(
  manifest: Manifest<PaperSettings>,
  runs: readonly CellRun[],
  drawn: readonly Drawn[],
  targets: readonly Target[],
): string {
  const { form, base_rtt_ms, seconds, from_s } = manifest.experiment;
  const rounds = Math.round(((seconds - from_s) * 1000) / base_rtt_ms);
  const told = `${runs.length}, the ${form} form: ${seconds} s each, of which ${rounds} round trips count`;
  return flowsPage(
    manifest,
    { lead: 'Long TCP flows of the kernel share the queue of the P4 switch.', runs: ['Runs', told] },
    html`${targetsTable(targets)}
    ${drawn.map((each) => html`${figureSection(each.figure, each.number)} ${findingsTable(each.findings)}`)}
    ${runTable(runs)}`,
  );
}

const targetsTable = (targets: readonly Target[]): Markup | undefined =>
  targets.length === 0
    ? undefined
    : html`<section>
        <h2>Targets</h2>
        ${table(
          ['what', 'target', 'measured', 'met'],
          targets.map(({ what, target, measured, met }) => [what, target, measured, met ? 'yes' : 'no']),
          { names: [0, 1, 2, 3] },
        )}
      </section>`;

function findingsTable(findings: Findings): Markup | undefined {
  const entries = Object.entries(findings);
  if (entries.length === 0) return undefined;
  return html`<details>
    <summary>Numbers of this figure</summary>
    <table>
      <tbody>
        ${entries.map(
          ([name, value]) =>
            html`<tr>
              <td>${name.replaceAll('_', ' ')}</td>
              <td>${value === null ? '–' : String(Number(value.toPrecision(3)))}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}
