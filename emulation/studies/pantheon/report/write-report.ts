import { mkdirSync } from 'node:fs';
import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import { document } from '../../../ground/drawing/document.ts';
import type { Figure } from '../../../ground/drawing/figure.ts';
import { figureSection } from '../../../ground/drawing/figure-section.ts';
import { formatDate, formatValue } from '../../../ground/drawing/format.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { treatmentLook, type Look } from '../../../ground/drawing/palette.ts';
import { table } from '../../../ground/drawing/table.ts';
import { readManifest, type Manifest } from '../../../harness/runs/manifest.ts';
import type { Link } from '../../../network/links/link.ts';
import { schemeNamed } from '../../../network/schemes/index.ts';
import { readPackets, readRuns, type PantheonResult } from '../run-files.ts';
import { cellsOf, checkPantheonSettings, type PantheonSettings } from '../settings.ts';
import { runsOf, timeCharts, tradeoffChart, type SchemeRuns } from './charts.ts';
import { spreadOf } from './ellipse.ts';

/** One path with one number of flows. */
interface Scenario {
  readonly path: string;
  readonly flows: number;
  readonly schemes: readonly SchemeRuns[];
}

/**
 * Reads the runs that are in `outDir`, all or some, and writes the front page, `report.html`, a page for each path,
 * `path-NAME.html`, and `summary.json`.
 */
export function writePantheonReport(outDir: string): void {
  const manifest = readManifest(outDir, checkPantheonSettings);
  const { experiment } = manifest;
  const scenarios = scenariosOf(outDir, experiment);
  const looks = experiment.schemes.map((scheme, index) => treatmentLook(scheme, index));
  mkdirSync(outDir, { recursive: true });
  replaceFiles(outDir, {
    'summary.json': asJson(summaryOf(manifest, scenarios)),
    'report.html': frontPage(manifest, scenarios, looks),
    ...Object.fromEntries(
      Object.entries(experiment.paths).map(([name, link]) => {
        const own = scenarios.filter(({ path }) => path === name);
        return [pageOf(name), pathPage(outDir, { manifest, scenarios: own, looks, name, link })];
      }),
    ),
  });
}

const pageOf = (path: string): string => `path-${path}.html`;

function scenariosOf(outDir: string, settings: PantheonSettings): Scenario[] {
  const cells = cellsOf(settings);
  return Object.keys(settings.paths).flatMap((path) =>
    settings.flows.map((flows) => ({
      ...{ path, flows },
      schemes: cells
        .filter((cell) => cell.path === path && cell.flows === flows)
        .map((cell) => ({ scheme: cell.scheme, results: readRuns(outDir, cell) })),
    })),
  );
}

/** `summary.json`: of each scheme on each path the means of the runs without a fault. */
const summaryOf = (manifest: Manifest<PantheonSettings>, scenarios: readonly Scenario[]): object => ({
  ...manifest,
  experiment: manifest.experiment.name,
  paths: manifest.experiment.paths,
  from_s: manifest.experiment.from_s,
  results: scenarios.flatMap(({ path, flows, schemes }) =>
    schemes.map((each) => {
      const good = each.results.filter(({ fault }) => fault === null);
      const runs = runsOf(each);
      const { mean } = runs.length > 0 ? spreadOf(runs) : { mean: { throughput_mbps: null, delay_ms: null } };
      return {
        ...{ path, flows, scheme: each.scheme, family: schemeNamed(each.scheme).family, runs: good.length },
        throughput_mbps: mean.throughput_mbps,
        delay_p95_ms: mean.delay_ms,
        loss_pct: good.length > 0 ? average(good.map(({ statistics }) => statistics.loss_pct)) : null,
        each_mbps: Array.from({ length: flows }, (_, flow) =>
          good.length > 0
            ? average(good.map(({ statistics }) => statistics.each[flow]?.throughput_mbps ?? 0))
            : null,
        ),
        faults: each.results.flatMap(({ k, fault }) => (fault === null ? [] : [`run ${k}: ${fault}`])),
        disturbed: each.results.filter(({ disturbed }) => disturbed !== null).length,
      };
    }),
  ),
});

function frontPage(
  manifest: Manifest<PantheonSettings>,
  scenarios: readonly Scenario[],
  looks: readonly Look[],
): string {
  const figures = scenarios.map((scenario) => tradeoffFigure(scenario, looks, manifest.experiment));
  const links = Object.entries(manifest.experiment.paths).map(
    ([name, link]) => html`<li><a href="${pageOf(name)}">${name}</a>: ${describe(link)}</li>`,
  );
  return page(
    manifest,
    html`<ul>
        ${links}
      </ul>
      ${faultsSection(scenarios, manifest)}
      ${figures.map((figure, index) => figureSection(figure, index + 1))} ${scenarios.map(scenarioTable)}`,
  );
}

function pathPage(
  outDir: string,
  of: {
    readonly manifest: Manifest<PantheonSettings>;
    readonly scenarios: readonly Scenario[];
    readonly looks: readonly Look[];
    readonly name: string;
    readonly link: Link;
  },
): string {
  const { manifest, scenarios, looks, name, link } = of;
  const figures = scenarios.flatMap((scenario) => [
    tradeoffFigure(scenario, looks, manifest.experiment),
    overTime(outDir, scenario),
  ]);
  return page(
    manifest,
    html`<p><a href="report.html">All paths</a></p>
      <p>${name}: ${describe(link)}</p>
      ${figures.map((figure, index) => figureSection(figure, index + 1))} ${scenarios.map(scenarioTable)}`,
    `${manifest.experiment.name}: ${name}`,
  );
}

const titleOf = ({ path, flows }: Scenario): string =>
  `${path}, ${flows === 1 ? '1 flow' : `${flows} flows`}`;

const tradeoffFigure = (
  scenario: Scenario,
  looks: readonly Look[],
  { from_s }: PantheonSettings,
): Figure => ({
  title: `Throughput against delay: ${titleOf(scenario)}`,
  caption: `Each mark is the mean of a scheme's runs, the shaded ellipse one standard deviation of them (three runs or more). The first ${from_s} s, the start-up, are not counted. Paper: Figure 3.2.`,
  charts: [tradeoffChart(titleOf(scenario), scenario.schemes, looks)],
  source: "packets.csv.gz of each run: the switch's report of every packet.",
});

const overTime = (outDir: string, scenario: Scenario): Figure => ({
  title: `Throughput and delay over time: ${titleOf(scenario)}`,
  caption: 'The first run of each scheme, in steps of 0.25 s; shaded: the start-up. Paper: Figure 3.5b.',
  charts: scenario.schemes.flatMap(({ results }) => {
    const first = results.find(({ fault }) => fault === null);
    return first ? timeCharts(first, readPackets(outDir, first)) : [];
  }),
  columns: 2,
  folded: true,
  source: 'packets.csv.gz of each run.',
});

/** Names what did not run, and why. */
function faultsSection(scenarios: readonly Scenario[], { skipped = {} }: Manifest): Markup | undefined {
  const faults = scenarios.flatMap((scenario) =>
    scenario.schemes.flatMap(({ scheme, results }) =>
      results.flatMap(({ k, fault }) =>
        fault === null ? [] : [`${scheme} on ${titleOf(scenario)}, run ${k}: ${fault}`],
      ),
    ),
  );
  const lines = [...new Set(Object.values(skipped).map((reason) => `skipped: ${reason}`)), ...faults];
  if (lines.length === 0) return undefined;
  return html`<section>
    <h2>Schemes without a result</h2>
    <ul>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>
  </section>`;
}

const scenarioTable = (scenario: Scenario): Markup =>
  html`<h2>${titleOf(scenario)}</h2>
    ${table(
      [
        'scheme',
        'runs',
        'throughput (Mbit/s)',
        'of each flow',
        'one-way delay p95 (ms)',
        'loss (%)',
        'lateness p99 (ms)',
      ],
      scenario.schemes.map((each) => {
        const good = each.results.filter(({ fault }) => fault === null);
        if (good.length === 0) return [each.scheme, '0', '', '', '', '', ''];
        const { mean } = spreadOf(runsOf(each));
        const late = good.map(({ lateness_p99_ms }) => lateness_p99_ms ?? 0);
        return [
          each.scheme,
          String(good.length),
          mean.throughput_mbps.toFixed(2),
          good[0]?.statistics.each
            .map((_, flow) => average(good.map((run) => eachOf(run, flow))).toFixed(2))
            .join(', ') ?? '',
          mean.delay_ms.toFixed(1),
          average(good.map(({ statistics }) => statistics.loss_pct)).toFixed(2),
          formatValue(Math.max(...late)),
        ];
      }),
    )}`;

const eachOf = ({ statistics }: PantheonResult, flow: number): number =>
  statistics.each[flow]?.throughput_mbps ?? 0;

function describe({ rate, rtt_ms, queue_bytes, loss = 0 }: Link): string {
  const mbps =
    rate.kind === 'constant'
      ? `${rate.mbps} Mbit/s`
      : rate.kind === 'poisson'
        ? `${rate.mbps} Mbit/s with Poisson deliveries`
        : rate.kind === 'schedule'
          ? rate.steps.map((step) => `${step.mbps} Mbit/s for ${step.seconds} s`).join(', ')
          : rate.downlink;
  return `${mbps}, RTT ${rtt_ms} ms, a queue of ${queue_bytes / 1000} kB, loss ${100 * loss}% each way`;
}

function page(
  { command, commit, kernel, started, ended = null, experiment, place }: Manifest<PantheonSettings>,
  body: Markup,
  title = experiment.name,
): string {
  const { figure, runs, seconds, schemes } = experiment;
  const entry = (term: string, value: string | Markup) =>
    html`<div>
      <dt>${term}</dt>
      <dd>${value}</dd>
    </div>`;
  return document(
    title,
    html`<header>
        <p class="kicker">dashjs-sammy lab · ${figure}</p>
        <h1>${title}</h1>
        <p class="lead">
          Congestion-control schemes that people run, each as a full-throttle flow: how much each delivers,
          and how late.
        </p>
        ${ended === null ? html`<p class="caution">Unfinished: every figure below is of what is there.</p>` : undefined}
        <dl>
          ${entry('Runs', `${schemes.length} schemes, ${runs} runs of each on each path, ${seconds} s each`)}
          ${entry('Clock', place ? `${place.backend}, ${place.link}, ${place.clock}` : '')}
          ${entry('Command', html`<code>${command}</code>`)} ${entry('Commit', html`<code>${commit}</code>`)}
          ${entry('When', formatDate(started))} ${entry('Kernel', kernel)}
        </dl>
      </header>
      ${body}`,
  );
}

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
