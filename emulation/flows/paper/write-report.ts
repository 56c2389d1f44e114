import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { document } from '../../drawing/document.ts';
import { figureSection } from '../../drawing/figure-section.ts';
import { formatDate } from '../../drawing/format.ts';
import { html, type Markup } from '../../drawing/html.ts';
import { readManifest, type Manifest } from '../../runs/manifest.ts';
import type { CellRun, Findings } from '../figures/figure.ts';
import { drawFigures, type Drawn } from './draw-figures.ts';
import { picturesOf } from './pictures.ts';
import { readRuns } from './read-runs.ts';
import { runTable } from './run-table.ts';
import { checkPaperSettings, type PaperSettings } from './settings.ts';
import { targetsOf, type Target } from './targets.ts';

/** Reads the runs that are in `outDir`, all or some, and writes `summary.json`, `report.html` and `figures/*.svg` into it. */
export function writePaperReport(outDir: string): void {
  const manifest = readManifest(outDir, checkPaperSettings);
  const runs = readRuns(outDir, manifest.experiment);
  const drawn = drawFigures(runs, manifest.experiment);
  const targets = targetsOf(runs, manifest.experiment);
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
  for (const each of drawn) replaceFiles(join(outDir, 'figures'), picturesOf(each));
  replaceFiles(outDir, {
    'summary.json': asJson(summary),
    'report.html': render(manifest, runs, drawn, targets),
  });
}

function render(
  { command, commit, kernel, started, ended = null, experiment }: Manifest<PaperSettings>,
  runs: readonly CellRun[],
  drawn: readonly Drawn[],
  targets: readonly Target[],
): string {
  const { name, figure, form, rate_bit_s, base_rtt_ms, bdp_packets, seconds, from_s } = experiment;
  const rounds = Math.round(((seconds - from_s) * 1000) / base_rtt_ms);
  const entry = (term: string, value: string | Markup) =>
    html`<div>
      <dt>${term}</dt>
      <dd>${value}</dd>
    </div>`;
  return document(
    name,
    html`<header>
        <p class="kicker">dashjs-sammy lab · ${figure}</p>
        <h1>${name}</h1>
        <p class="lead">Long TCP flows of the kernel share the queue of the P4 switch.</p>
        ${ended === null ? html`<p class="caution">Unfinished: every figure below is of what is there.</p>` : undefined}
        <dl>
          ${entry('Runs', `${runs.length}, the ${form} form: ${seconds} s each, of which ${rounds} round trips count`)}
          ${entry(
            'Link',
            `${rate_bit_s / 1e6} Mbit/s of Ethernet frames, base RTT ${base_rtt_ms} ms, BDP ${bdp_packets.toFixed(1)} packets of 1514 bytes`,
          )}
          ${entry('Command', html`<code>${command}</code>`)} ${entry('Commit', html`<code>${commit}</code>`)}
          ${entry('When', formatDate(started))} ${entry('Kernel', kernel)}
        </dl>
      </header>
      ${targetsTable(targets)}
      ${drawn.map((each) => html`${figureSection(each.figure, each.number)} ${findingsTable(each.findings)}`)}
      ${runTable(runs)}`,
  );
}

const targetsTable = (targets: readonly Target[]): Markup | undefined =>
  targets.length === 0
    ? undefined
    : html`<section>
        <h2>Targets</h2>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                ${['what', 'target', 'measured', 'met'].map((name) => html`<th class="name">${name}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${targets.map(
                ({ what, target, measured, met }) =>
                  html`<tr>
                    ${[what, target, measured, met ? 'yes' : 'no'].map((text) => html`<td class="name">${text}</td>`)}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
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
